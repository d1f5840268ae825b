"""The console: plain files that a browser reads as they are, and the session that it calls with."""
