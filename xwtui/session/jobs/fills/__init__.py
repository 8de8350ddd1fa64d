"""The filler's runs: the steppable search, and runs that end by themselves."""
