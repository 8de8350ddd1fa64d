"""English inflections of a verb or noun, of which a word list then says which exist."""

_VOWELS = "aeiou"


def verb_forms(base: str, irregular: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return candidates for the -s, -ing and past forms: `give` gives gives, giving, gave, given."""
    stem = base.removesuffix("e") if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) else base
    doubled = base + base[-1] if _may_double(base) else base
    past = irregular.get(base, (stem + "ed", doubled + "ed", _y_to_i(base) + "ed"))
    return (s_form(base), stem + "ing", doubled + "ing", *past)


def plural_forms(base: str, irregular: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return candidates for the plural of a noun."""
    return (s_form(base), *irregular.get(base, ()))


def s_form(base: str) -> str:
    """Return the regular form in -s of a noun or a verb."""
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _may_double(base: str) -> bool:
    return len(base) > 2 and base[-1] not in _VOWELS + "wxyhs" and base[-2] in _VOWELS and base[-3] not in _VOWELS


def _y_to_i(base: str) -> str:
    return base[:-1] + "i" if base.endswith("y") and base[-2:-1] not in _VOWELS else base
