"""Loading the sample data: what is to be loaded, the child processes that generate and load it, and whoever waits."""
