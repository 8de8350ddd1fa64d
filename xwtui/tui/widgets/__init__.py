"""The screen's widgets: each draws one thing, independently of the others."""
