"""What a fill works on: the task, laid out as tables and arrays."""
