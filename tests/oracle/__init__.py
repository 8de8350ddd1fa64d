"""The program's statements checked against all fills of small problems: nine kinds, by brute force."""
