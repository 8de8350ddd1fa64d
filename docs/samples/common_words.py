"""Pick the words of a list that are common in use: python common_words.py sv swedish < LIST > COMMON.

`pip install wordfreq` tells how common they are. A word's score is fifteen times its place on the scale of
Zipf, where 3 is one of a million words; what is less than 2.9, or no word as the dictionary has it or
inflects it (50 in a list of `lists build`), is left out.
"""

import sys

from wordfreq import zipf_frequency

LEAST_SCORE, LEAST_ZIPF, FACTOR = 50, 2.9, 15

language, alphabet = sys.argv[1:]
print(f"# alphabet: {alphabet}")
for line in sys.stdin:
    word, _, score = line.strip().partition(";")
    if score.isdigit() and int(score) >= LEAST_SCORE:
        zipf = zipf_frequency(word.lower(), language)
        if zipf >= LEAST_ZIPF:
            print(f"{word};{min(int(zipf * FACTOR), 100)}")
