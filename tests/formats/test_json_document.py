"""JSON from elsewhere, and JSON as it is laid out."""

import json

import pytest
from hypothesis import given

from tests.formats.test_bad_input import JSON_VALUES
from xwtui.errors import PuzzleFormatError
from xwtui.formats.base import MAX_FILE_BYTES
from xwtui.formats.json_document import document_bytes, parse_document


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "not an object"),
        ('{"version": "http://ipuz.org/v2"', "no whole JSON"),
        ('{"a": "b', "Unterminated string starting at line 1, column 7"),
        ('{"a": NaN}', "NaN is no JSON number"),
        ('{"a": -Infinity}', "-Infinity is no JSON"),
        ('{"a": 1e999}', "too large"),
        ('{"a": ' + "9" * 5000 + "}", "too large"),
        ('{"a": 1, "a": 2}', "'a' stands twice"),
        ('{"a": ' + "[" * 60 + "]" * 60 + "}", "nested"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested"),
        ('{"a": ' * 100_000 + "1" + "}" * 100_000, "nested"),
    ],
    ids=range(11),
)
def test_json_that_is_refused(text: str, message: str) -> None:
    with pytest.raises(PuzzleFormatError, match=message):
        parse_document(text.encode())


@given(JSON_VALUES)
def test_what_is_written_is_read_again(value: object) -> None:
    document = {"field": value, "rows": [value, value]}
    assert parse_document(document_bytes(document)) == document
    assert json.loads(document_bytes(document)) == document


def test_the_deepest_document() -> None:
    text = '{"a": ' + "[" * 49 + "]" * 49 + "}"
    assert parse_document(text.encode())


def test_what_laid_out_would_be_too_large_to_be_read_again_is_not_laid_out() -> None:
    document = {"puzzle": [], "large": [[number % 10] * 4 for number in range(400_000)]}
    source = json.dumps(document, separators=(",", ":")).encode()
    assert len(source) < MAX_FILE_BYTES < len(json.dumps(document))
    data = document_bytes(document)
    assert len(data) <= MAX_FILE_BYTES
    assert parse_document(data) == document
