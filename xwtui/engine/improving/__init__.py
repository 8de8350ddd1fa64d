"""Making fills better: the improver, its objectives, and the best fill that the time allows."""
