"""What if the layout were another: blocks, theme answers, and where the hard spots are."""
