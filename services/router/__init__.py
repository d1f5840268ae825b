"""The router: what a question is about, how sure that is, and what happens next."""
