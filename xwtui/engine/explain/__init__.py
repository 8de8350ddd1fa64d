"""Why there is no fill: smallest conflicts, and remedies that were tried."""
