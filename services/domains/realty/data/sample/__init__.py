"""The sample data of `realty`, generated; only the seeding child imports it."""
