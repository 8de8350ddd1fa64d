"""The search: decisions, backtracking and restarts."""
