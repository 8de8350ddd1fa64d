"""The input of the engine: a task, built into tables and arrays."""
