"""Finance: macro series and listed shares."""
