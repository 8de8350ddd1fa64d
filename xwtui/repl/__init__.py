"""The prompt_toolkit face: the verbs, a line at a time."""
