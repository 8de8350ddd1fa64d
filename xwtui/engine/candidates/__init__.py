"""What each word of an entry would cost, and what entries and squares can still take."""
