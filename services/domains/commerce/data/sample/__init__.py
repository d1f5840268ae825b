"""The sample data of `commerce`, generated; only the seeding child imports it."""
