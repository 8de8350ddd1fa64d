"""The number of fills: estimated at once, refined with particles, or exact."""
