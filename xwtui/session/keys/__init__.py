"""Which keys do what: their names, what the screen can do by a key, maps of keys, and what is wrong with one."""
