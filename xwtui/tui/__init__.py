"""The Textual face: screens, widgets, messages and themes on top of a session."""
