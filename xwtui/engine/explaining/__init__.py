"""Why a grid cannot be filled: smallest conflicts among the constructor's choices, and verified remedies."""
