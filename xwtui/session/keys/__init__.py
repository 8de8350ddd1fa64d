"""Keys: their names, the actions of the screen, key maps, and checks of key files."""
