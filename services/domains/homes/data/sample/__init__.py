"""The sample data of `homes`, generated; only the seeding child imports it."""
