"""The screens: the editor, and what is laid over it."""
