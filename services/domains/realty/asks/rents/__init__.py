"""What is asked of rents and deposits: rises, conversions, ends of leases, what is protected, what a tenant gets back."""
