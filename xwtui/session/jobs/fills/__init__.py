"""What goes on in threads of its own: the steppable search, and the runs that end by themselves."""
