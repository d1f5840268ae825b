"""`hapju flows`, `sessions` and `experiment`: what happened, what was said, and what variants came to."""
