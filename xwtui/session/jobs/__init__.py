"""Background jobs; each has a thread of its own and posts messages about its progress."""
