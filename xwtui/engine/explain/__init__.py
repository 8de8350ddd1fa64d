"""Why there is no fill: smallest conflicts, and remedies that have been tried."""
