"""Candidates of an entry and what each costs, and the options left for entries and squares."""
