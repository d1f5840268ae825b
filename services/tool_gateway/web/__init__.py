"""The web as a source: what a provider of searches is, and the providers. Off unless HAPJU_WEB_SEARCH_URL is set."""
