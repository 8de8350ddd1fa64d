"""Several fills of one grid that differ enough from each other."""
