"""What the engine finds, in English: one place for all faces."""
