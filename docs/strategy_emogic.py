"""What the pages of Emogic's two searches tell: Cambon's counts, his square of six letters, his look-ups."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bench.tables import duration, table
from docs.strategy_runs import (
    QUARTILES,
    SEEDS,
    SEEDS_SAID,
    Run,
    lexicon,
    need,
    nodes_of,
    prose,
    quartiles,
    search,
    seconds_of,
    share_of,
    strategy_on,
)
from xwtui.engine.events.event import EventKind
from xwtui.errors import EngineError
from xwtui.strategies.board import EMPTY
from xwtui.strategies.emogic_letters import EmogicLetters
from xwtui.strategies.emogic_words import LOOKUPS, MOST_MASKED, EmogicWords, WordLookup
from xwtui.strategies.letter_walks import ChainSupply, LetterSupply, MaskSupply

LARGE = "dicts/uk.txt"
FULL, NONE = "berghel_rankin_134.txt", "berghel_rankin_128_nosol.txt"
_SQUARE_SECONDS = 3
_BEGUN_NODES = 10_000

PUBLISHED: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "naive": {
        "straight": (9_501, 4_750),
        "snake": (21_721, 14_317),
        "switch": (20_981, 12_326),
        "sik-sak": (40_380, 24_472),
        "slalom": (40_380, 24_472),
    },
    "cambon": {
        "straight": (9_471, 4_730),
        "snake": (20_416, 14_176),
        "switch": (20_294, 11_851),
        "sik-sak": (26_529, 15_249),
        "slalom": (32_210, 19_819),
    },
}
"""Cambon's counts by rule and walk: 134 words with 72 fills, 128 words with none."""


def letters() -> Iterator[str]:
    """Cambon's placements, what Emogic's rules lose, and his square."""
    need(FULL, NONE, LARGE)
    yield from prose(
        "Letters placed to find all fills of a 5×5 square (72 with the first list in Cambon's thesis, none with "
        f"the second), as published and as measured here over {SEEDS_SAID} ({QUARTILES}; one figure if all are "
        "the same):"
    )
    head = ["walk", "rule", "published, 72 fills", "ours", "published, no fill", "ours"]
    yield from table(head, [_placed(walk, rule) for rule in PUBLISHED for walk in PUBLISHED[rule]])
    yield from [
        "",
        "With the jump rule, the count depends on the order in which letters are tried, which the thesis does not",
        "give. That does not explain the count of the snake walk (see below).",
        "`tests/strategies/test_emogic.py` asserts all of this. Each row is twenty commands like",
        "",
        "```",
        f"xwtui fill puzzles/templates/square-5x5.txt --words {FULL} --allow-repeats --all --json \\",
        "    --strategy emogic-letters:walk=sik-sak,backtrack=cambon,compiled=yes --seed 0",
        "```",
        "",
        *_readings(),
        "",
        *jumps(
            "emogic-letters", [("9x9-01", "straight"), ("british-13x13-01", "straight")], _LETTER_RULES, 3_000_000
        ),
        "",
        *squares([f"emogic-letters:walk={walk},compiled=yes" for walk in PUBLISHED["naive"]], "emogic-letters"),
    ]


def _placed(walk: str, rule: str) -> list[str]:
    row = [walk, rule]
    for words, published, fills in zip((FULL, NONE), PUBLISHED[rule][walk], (72, 0), strict=True):
        runs = exhausted(f"emogic-letters:walk={walk},backtrack={rule},compiled=yes", words)
        assert {run.fills for run in runs} == {fills}
        found = [f"{round(one):,}" for one in quartiles([run.placements for run in runs])]
        is_one = len({run.placements for run in runs}) == 1
        row += [f"{published:,}", found[0] if is_one else ", ".join(found)]
    return row


def exhausted(text: str, words: str) -> list[Run]:
    """A 5x5 square searched to the end, by each seed."""
    known = lexicon(words, 0)
    return [
        search(text, "square-5x5", words=known, seed=seed, wants_all=True, allow_repeats=True) for seed in SEEDS
    ]


def _readings() -> Iterator[str]:
    """What the two readings of Emogic's third rule leave of 72 fills, over seeds."""
    yield from prose(
        f"How many of the 72 fills Emogic's rules find, over {SEEDS_SAID} (least, {QUARTILES}, most):"
    )
    rows = []
    for walk in PUBLISHED["naive"]:
        row = [walk]
        for rule in ("emogic-text", "emogic-script"):
            runs = exhausted(f"emogic-letters:walk={walk},backtrack={rule},compiled=yes", FULL)
            found = sorted(run.fills for run in runs)
            row.append(", ".join(str(round(one)) for one in (found[0], *quartiles(found), found[-1])))
        rows.append(row)
    yield from table(["walk", "`emogic-text`", "`emogic-script`"], rows)


_LETTER_RULES = ("naive", "cambon", "emogic-text", "emogic-script")


def jumps(name: str, walks: Sequence[tuple[str, str]], rules: Sequence[str], most: int) -> Iterator[str]:
    """What each rule for going back is worth beside the naive one, on templates by walks."""
    seeds = SEEDS[:10]
    yield from prose(
        '"Optimal backtracks (see CCP) help a lot (x100 speed increases or more in some cases)" (Emogic): nodes '
        f"to the first fill, {most:,} at most, default list at 40, seeds 0 to {seeds[-1]} ({QUARTILES}), and how "
        f"many times as many `naive` takes with the same seed (least, {QUARTILES}, most). A run cut short counts "
        "as the nodes it took, so where `naive` was cut short the true figure is higher:"
    )
    rows = []
    for template, walk in walks:
        naive = [_first_fill(f"{name}:walk={walk},backtrack=naive", template, seed, most) for seed in seeds]
        for rule in rules:
            text = f"{name}:walk={walk},backtrack={rule}"
            runs = naive if rule == "naive" else [_first_fill(text, template, seed, most) for seed in seeds]
            times = sorted(plain.nodes / run.nodes for plain, run in zip(naive, runs, strict=True))
            said = ", ".join(f"{one:,.3g}" for one in (times[0], *quartiles(times), times[-1]))
            rows.append([template, f"`{text}`", share_of(runs), nodes_of(runs), "" if rule == "naive" else said])
    yield from table(["template", "strategy", "filled", "nodes", "times as many by `naive`"], rows)


def _first_fill(text: str, template: str, seed: int, most: int) -> Run:
    return search(f"{text},compiled=yes", template, seed=seed, nodes=most)


def squares(texts: Sequence[str], readable: str = "") -> Iterator[str]:
    """A 6x6 double square by some strategies, and how fast the readable twin is."""
    known = lexicon(LARGE, 0)
    yield from prose(
        '"My program can frequently generate a 6 x 6 crossword in around 3 seconds" (Emogic, whose dictionary has '
        f"some 250,000 words): a double square of the {len(known.table(6).letters):,} six-letter words in `uk` "
        f"(225,349 words; CP 2008), {SEEDS_SAID}, at most {_SQUARE_SECONDS} s of processor time each; "
        f"{QUARTILES}:"
    )
    rows = []
    for text in texts:
        search(text, "square-6x6", words=known, nodes=1)  # what is compiled is compiled now
        runs = [search(text, "square-6x6", words=known, seed=seed, seconds=_SQUARE_SECONDS) for seed in SEEDS]
        speed = sum(run.nodes for run in runs) / sum(run.seconds for run in runs)
        rows.append([f"`{text}`", share_of(runs), nodes_of(runs), seconds_of(runs), f"{speed:,.0f}"])
    yield from table(["strategy", "filled", "nodes", "processor time", "nodes a second"], rows)
    if readable:
        begun = [search(readable, "square-6x6", words=known, seed=seed, nodes=_BEGUN_NODES) for seed in SEEDS]
        speed = sum(run.nodes for run in begun) / sum(run.seconds for run in begun)
        yield ""
        yield f"The readable search (`{readable}`) takes the same steps at {speed:,.0f} nodes a second, measured"
        yield f"over the first {_BEGUN_NODES:,} nodes of each seed, including the time to build its tables."
    told = "xwtui fill puzzles/templates/square-6x6.txt --words uk.txt --time 3 --seed 0 --json --strategy"
    yield from ["", "```", f"{told} \\", f"    {texts[0]}", "```"]


def words() -> Iterator[str]:
    """Emogic's square by words, and his ways to look words up."""
    need(LARGE)
    walks = ("across-then-down", "crossing-words", "sik-sak")
    compiled = [f"emogic-words:walk={walk},compiled=yes" for walk in walks]
    yield from squares([*compiled, "emogic-words:meta=no,compiled=yes"], "emogic-words")
    walks = [("9x9-01", "crossing-words"), ("9x9-01", "numerical"), ("11x11-01", "crossing-words")]
    yield from ["", *jumps("emogic-words", walks, ("naive", "cambon", "emogic"), 60_000)]
    yield from ["", *_lookup_times(), "", *_lookup_counts(), "", *_mask_counts()]


_BOARDS = 30
"""Boards of each seed that look-ups are timed on."""


def _lookup_times() -> Iterator[str]:
    """What one look-up takes by each method: masks, the meta search on top of them, and letters."""
    yield from prose(
        'Emogic writes that the meta search "can take up to 250 times longer than a simple mask word search, '
        'and 833 times slower than the letter search on some grids". Here, for the 6×6 square with `uk`: the '
        f"next entry on each of the first {_BOARDS} boards of the search with `walk=crossing-words`, looked up by "
        "each method. Nothing is remembered, and a meta search includes all its look-ups of crossings. Processor "
        f"time per look-up over {SEEDS_SAID} ({QUARTILES}), and how many times as long as the letter look-up "
        "(`chain`) that is, by the medians:"
    )
    known = lexicon(LARGE, 0)
    spellings = list(known.table(6).words())
    base = quartiles([_letter_time(ChainSupply(spellings), seed) for seed in SEEDS])[1]
    rows = []
    for name, make in (("chain", ChainSupply), ("masks", MaskSupply)):
        begin = time.process_time()
        supply = make(spellings)
        built = time.process_time() - begin
        times = [_letter_time(supply, seed) for seed in SEEDS]
        rows.append([f"letters, `supply={name}`", duration(built), _micro(times), _times(times, base)])
    for name, way in LOOKUPS.items():
        begin = time.process_time()
        try:
            lookup = way(spellings, remembers=False)
        except EngineError as error:
            rows.append([f"`lookup={name}`", str(error), "", ""])
            continue
        built = time.process_time() - begin
        masks, metas = zip(*(_word_times(lookup, _boards(seed)) for seed in SEEDS), strict=True)
        rows.append([f"words, `lookup={name}`", duration(built), _micro(masks), _times(masks, base)])
        rows.append([f"meta, `lookup={name}`", "", _micro(metas), _times(metas, base)])
    yield from table(["look-up", "to build", "µs each", "times the letter look-up"], rows)


def _micro(times: Sequence[float]) -> str:
    return ", ".join(f"{one * 1e6:,.1f}" for one in quartiles(times))


def _times(times: Sequence[float], base: float) -> str:
    return f"{quartiles(times)[1] / base:,.0f}"


def _letter_time(supply: LetterSupply, seed: int) -> float:
    """Seconds of a look-up of the letters after a prefix, on the boards of a letter search."""
    strategy = strategy_on("emogic-letters", "square-6x6", lexicon(LARGE, 0), seed=seed)
    assert isinstance(strategy, EmogicLetters)
    asked = []
    for event in strategy.run():
        if event.kind is EventKind.DECIDE:
            asked += [strategy.board.pattern(slot).partition("?")[0] for slot in range(len(strategy.board.slots))]
        if strategy.counters.nodes == _BOARDS:
            break
    begin = time.process_time()
    for prefix in asked:
        supply.after(prefix)
    return (time.process_time() - begin) / len(asked)


class _Board(NamedTuple):
    """A board as a look-up sees it."""

    pattern: str
    """Of the entry that comes next."""
    crossings: tuple[tuple[str, int] | None, ...]
    """For each of its squares the pattern that crosses there and the place along it; None where a letter "
    "stands."""


@cache
def _boards(seed: int) -> list[_Board]:
    """The first boards of a word search that leave something to look up."""
    strategy = strategy_on("emogic-words", "square-6x6", lexicon(LARGE, 0), seed=seed)
    assert isinstance(strategy, EmogicWords)
    board, found = strategy.board, list[_Board]()
    for event in strategy.run():
        slot = next((slot for slot in range(len(board.slots)) if not board.is_filled(slot)), None)
        if event.kind is EventKind.DECIDE and slot is not None:
            pattern = board.pattern(slot)
            crossings = [(board.pattern(one.slot), one.other_at) for one in board.crossings[slot]]
            both = zip(pattern, crossings, strict=True)
            found.append(_Board(pattern, tuple(None if letter != EMPTY else one for letter, one in both)))
        if len(found) == _BOARDS:
            break
    return found


def _word_times(lookup: WordLookup, boards: Sequence[_Board]) -> tuple[float, float]:
    """Seconds of a mask look-up, and of a meta search with all its crossings, on some boards."""
    for board in boards:
        lookup.words(board.pattern)  # what is made once is made now
        _meta(lookup, board)
    begin = time.process_time()
    for board in boards:
        lookup.words(board.pattern)
    middle = time.process_time()
    for board in boards:
        _meta(lookup, board)
    return (middle - begin) / len(boards), (time.process_time() - middle) / len(boards)


def _meta(lookup: WordLookup, board: _Board) -> None:
    lookup.words(board.pattern, [None if one is None else lookup.letters(*one) for one in board.crossings])


_COUNTED_NODES = 40


def _lookup_counts() -> Iterator[str]:
    """How many look-ups a search asks for, how many it makes, and what that takes."""
    yield from prose(
        f"Whole searches, the first {_COUNTED_NODES} nodes on 9x9-01 with the default list. The letters that "
        "crossings can take are remembered (`memo=yes`, the default, unlike Emogic) or looked up each time. "
        f"All make the same search; {QUARTILES} over {SEEDS_SAID}:"
    )
    rows = []
    for meta in ("no", "yes"):
        for lookup in ("masks", "regex", "lists"):
            for memo in ("yes", "no"):
                text = f"emogic-words:meta={meta},lookup={lookup},memo={memo}"
                rows.append([f"`{text}`", *_counted(text)])
    yield from table(["search", "look-ups asked", "made", "processor time"], rows)


def _counted(text: str) -> Iterator[str]:
    asked, made, seconds = [], [], []
    for seed in SEEDS:
        strategy = strategy_on(text, "9x9-01", lexicon("", 40), seed=seed)
        begin = time.process_time()
        for _ in strategy.run():
            if strategy.counters.nodes >= _COUNTED_NODES:
                break
        seconds.append(time.process_time() - begin)
        lookups = strategy.lookups
        assert lookups is not None
        asked.append(lookups.asked)
        made.append(lookups.made)
    yield ", ".join(f"{one:,}" for one in quartiles(asked))
    yield ", ".join(f"{one:,}" for one in quartiles(made))
    yield ", ".join(map(duration, quartiles(seconds)))


def _mask_counts() -> Iterator[str]:
    """The words in all lists of a table of every mask, by length."""
    yield from prose(
        "How many words `lookup=every-mask` would put into its lists, with the default list at 40; it accepts at "
        f"most {MOST_MASKED:,}:"
    )
    known = lexicon("", 40)
    counts = {length: len(known.table(length).letters) for length in range(3, 16)}
    rows = [
        [str(length), f"{count:,}", f"{count << length:,}", "yes" if count << length <= MOST_MASKED else "no"]
        for length, count in counts.items()
    ]
    yield from table(["letters", "words", "in the lists of every mask", "accepted"], rows)
