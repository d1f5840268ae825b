"""The sample data of `general`, generated; only the seeding child imports it."""
