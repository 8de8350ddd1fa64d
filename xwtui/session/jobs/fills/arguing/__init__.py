"""A search that is argued with: chosen, forbidden, locked or put off, and which part of all fills follows."""
