"""Random verb lines for a face. A face may refuse those that make no sense at the moment."""

from random import Random

LINES = (
    "fill --seed {number}",
    "fill --seed {number}",
    "fill --count 3 --diverse --time 5",
    "fill --best --time 4",
    "fill --partial --time 3",
    "fill --strategy trie --time 3",
    "refill",
    "count --time 3",
    "count --time 3 --seed {number}",
    "candidates {entry}",
    "candidates {entry} --sort room",
    "shares {square}",
    "improve --time 5",
    "improve --by lowest --time 4",
    "heat --time 3",
    "why",
    "whatif blocks --time 3",
    "race xwtui top-ten trie --seeds 1 --time 1",
    "step 200",
    "back 50",
    "stop",
    "words --min-score {score}",
    "set {square} {letter}",
    "clear {entry}",
    "clear pencil",
    "undo",
    "undo",
    "redo",
    "ban OREO",
    "allow OREO",
)


def random_line(chance: Random) -> str:
    """Return a random line, with places of the sample puzzle filled in."""
    return chance.choice(LINES).format(
        number=chance.randrange(1000),
        entry=chance.choice(("1A", "14A", "17A", "1D", "5D", "10D", "58A")),
        square=f"r{chance.randint(1, 15)}c{chance.randint(1, 15)}",
        letter=chance.choice("AEINRST"),
        score=chance.choice((30, 40, 45)),
    )
