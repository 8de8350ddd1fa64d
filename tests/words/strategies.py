"""What hypothesis draws words, scores and patterns from: few letters, so that words are alike."""

from hypothesis import strategies as st

words = st.text("ABZ09", min_size=2, max_size=5)
scores = st.integers(0, 100)
scored_words = st.dictionaries(words, scores, max_size=40)
patterns = st.text("ABZ09?", min_size=1, max_size=6)
