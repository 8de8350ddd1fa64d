"""Layouts: the template library."""
