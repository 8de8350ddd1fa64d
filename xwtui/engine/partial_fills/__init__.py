"""The most that can be filled where a complete fill cannot be had."""
