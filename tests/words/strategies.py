"""What hypothesis draws words, scores and patterns from: few letters, so that words are alike."""

from hypothesis import strategies as st

words = st.text("ABZ09", min_size=2, max_size=5)
scores = st.integers(0, 100)
scored_words = st.dictionaries(words, scores, max_size=40)
patterns = st.text("ABZ09?", min_size=1, max_size=6)


@st.composite
def scores_and_patterns(draw: st.DrawFn) -> tuple[dict[str, int], list[str]]:
    """Words of few lengths with their scores, and patterns with the letters of some of them."""
    length = st.integers(3, 6)
    alike = length.flatmap(lambda size: st.text("ABZ0", min_size=size, max_size=size))
    words_of_list = draw(st.dictionaries(alike, scores, min_size=1, max_size=60))
    chosen = draw(
        st.lists(st.tuples(st.sampled_from(sorted(words_of_list)), st.text("y?", min_size=6, max_size=6)))
    )
    masked = [
        "".join("?" if mark == "?" else letter for letter, mark in zip(word, mask, strict=False))
        for word, mask in chosen
    ]
    return words_of_list, [*masked, draw(patterns)]
