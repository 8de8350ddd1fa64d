"""What the program says, held against all fills of small problems: nine kinds of statement, by brute force."""
