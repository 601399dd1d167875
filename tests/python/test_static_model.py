"""The shipped token vectors and their reader."""

from __future__ import annotations

from importlib.resources import files

from engram_pg import static_model
from engram_pg.static_model import reference


def test_rows_are_unique_folded_and_complete() -> None:
    tokens = [token for token, _ in static_model.rows()]
    assert len(tokens) == static_model.count() == len(set(tokens))
    assert all(len(vector) == static_model.DIMENSIONS for _, vector in static_model.rows())
    assert [t for t in tokens if reference.fold(t) != t] == []
    assert [t for t in tokens if t.isspace() or not t or "\t" in t] == []


def test_no_row_is_zero() -> None:
    assert [token for token, vector in static_model.rows() if not any(vector)] == []


def test_every_letter_digit_and_bucket_has_a_row() -> None:
    known = {token for token, _ in static_model.rows()}
    assert set("abcdefghijklmnopqrstuvwxyz0123456789") <= known
    assert {f"#{i}" for i in range(reference.BUCKETS)} <= known


def test_every_han_character_of_the_character_sets_has_a_row() -> None:
    known = {token for token, _ in static_model.rows()}
    for codec, rows in {"euc_jp": range(0xB0, 0xF5), "gb2312": range(0xB0, 0xF8)}.items():
        cells = bytes(byte for row in rows for cell in range(0xA1, 0xFF) for byte in (row, cell))
        assert {reference.fold(letter) for letter in cells.decode(codec, "ignore")} - known == set()


def test_a_clear_reading_of_a_noun_has_the_vector_of_the_noun() -> None:
    vectors = dict(static_model.rows())
    assert vectors["ふとん"] == vectors["布団"]


def test_copy_text_is_one_copy_statement_with_a_line_for_each_row() -> None:
    lines = list(static_model.copy_text())
    assert lines[0] == "copy engram.static_token (token, vector) from stdin;\n"
    assert lines[-1] == "\\.\n"
    assert len(lines) == static_model.count() + 2
    assert all(line.count("\t") == 1 and line.count("\n") == 1 for line in lines[1:-1])


def test_the_data_file_is_small() -> None:
    assert len(files("engram_pg.static_model").joinpath("tokens.bin").read_bytes()) < 20_000_000


def test_unknown_words_fall_to_parts_then_pieces_then_buckets() -> None:
    known = {"http", "server", "un", "##known", "猫", "a"}
    assert list(reference.tokens("HTTPServer", known)) == ["http", "server"]
    assert list(reference.tokens("unknown", known)) == ["un", "##known"]
    assert list(reference.tokens("猫犬", known)) == ["猫", reference.bucket("犬")]
    assert list(reference.tokens("?", known)) == [reference.bucket("?")]
    assert list(reference.tokens(" \n", known)) == []
