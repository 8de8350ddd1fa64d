"""The prompt_toolkit face: verbs, one line at a time."""
