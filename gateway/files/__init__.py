"""Files that come with a question: told apart by what they hold, read in a process of their own, told as text."""
