"""The race: strategies and settings of the engine on one grid, side by side, judged and summed up."""
