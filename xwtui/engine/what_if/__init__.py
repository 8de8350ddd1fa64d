"""What if the grid were another: changes of blocks, places of theme answers, and the hard parts of the grid."""
