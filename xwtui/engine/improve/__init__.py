"""Making a fill better by refilling parts of it, with a bound on what can be had."""
