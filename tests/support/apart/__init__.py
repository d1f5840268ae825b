"""Services as processes of their own, each behind a link that a test harms, and a client that judges what it hears."""
