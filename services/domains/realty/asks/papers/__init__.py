"""What is asked of papers: contracts and letters that are reviewed, read, drafted or sent as files."""
