import subprocess
import sys

import pytest

from xwtui.errors import EngineError
from xwtui.strategies.protocol import Option, OptionValues
from xwtui.strategies.registry import STRATEGIES, StrategyChoice


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("xwtiu", "there is no strategy 'xwtiu'; did you mean xwtui?"),
        ("", "there is no strategy ''; there are xwtui"),
        ("xwtui:all", "xwtui: options are written name=value, not 'all'"),
        ("xwtui:all=perhaps", "xwtui: all is yes or no, not 'perhaps'"),
        ("xwtui:walk=snake", "xwtui has no option 'walk'; it has all"),
        ("xwtui:all=yes,all=no", "xwtui: all is given twice"),
    ],
)
def test_wrong_texts_say_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(EngineError) as error:
        StrategyChoice.parse(text)
    assert str(error.value).startswith(message)


def test_a_choice_is_written_as_it_is_read() -> None:
    for name, strategy in STRATEGIES.items():
        assert str(StrategyChoice.parse(name.upper())) == name
        for option in strategy.options:
            for value in option.choices or map(str, option.bounds or ()):
                choice = StrategyChoice.parse(f"{name}:{option.name}={value}")
                assert StrategyChoice.parse(str(choice)) == choice
                assert choice.values.word(option.name) == value


def test_a_former_name_goes_on_working() -> None:
    assert str(StrategyChoice.parse("double-trie:order=fewest")) == "trie:order=fewest"


def test_numbers_keep_to_their_bounds() -> None:
    options = [Option.number("pool", 10, 1, 500, "words compared")]
    assert OptionValues.of("some", options).number("pool") == 10
    assert OptionValues.of("some", options, {"pool": " 007 "}).number("pool") == 7
    for wrong in ("0", "501", "-3", "x", "", "²", "9" * 5000):
        with pytest.raises(EngineError, match="some: pool is a whole number from 1 to 500, not"):
            OptionValues.of("some", options, {"pool": wrong})


def test_the_registry_loads_no_engine() -> None:
    code = "import sys, xwtui.strategies.registry; assert not {'numba', 'numpy', 'textual'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
