"""Puts the sample data sets of the installed domains together; only the seeding child process imports them."""
