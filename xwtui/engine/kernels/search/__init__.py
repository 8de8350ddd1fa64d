"""Deciding, going back, setting out anew."""
