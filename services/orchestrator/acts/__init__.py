"""What agents want done: previewed, shown, approved by the user's own word, done once and told."""
