"""What if the grid were another: changes of blocks, places of theme answers, and where it is hard."""
