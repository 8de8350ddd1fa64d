"""What is asked of a fill as a whole: quotas, links between squares, and answers that share nothing."""
