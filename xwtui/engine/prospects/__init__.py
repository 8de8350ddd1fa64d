"""What a word costs: which words an entry can take, how many fills each leaves, and a fill through it."""
