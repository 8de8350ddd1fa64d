"""What-if questions: changes of blocks, places for theme answers, and which squares are hard."""
