"""How many fills a grid has: a rough figure at once, an interval, an exact count."""
