"""The search for fills: single searches, portfolios, partial fills, and sets of different fills."""
