"""The screens: the editor, and those shown on top of it."""
