"""Layouts: profiles, templates, random generation, and designs around theme answers."""
