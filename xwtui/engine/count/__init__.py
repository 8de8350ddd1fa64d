"""How many fills there are: estimated at once, refined by particles, or exact."""
