"""The model vendors' SDKs, one module each; nothing else imports them."""
