"""The Textual face: screens, widgets, messages and themes over the session."""
