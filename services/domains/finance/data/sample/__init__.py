"""The sample data of `finance`, generated; only the seeding child imports it."""
