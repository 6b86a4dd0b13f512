"""R-36: which spellings of a name are one name to a reader, and which are two."""

import sys
import unicodedata

import pytest

from controller.rules.approval import as_read, refuse_without_two
from controller.verify.people import read_as

ONE_NAME = [
    ("ana", "Ana"),
    ("ana", "ána"),
    ("ana", "\u0430n\u0430"),  # Cyrillic
    ("ana", "\u03b1\u03b7\u03b1"),  # Greek
    ("ana", "\uff21\uff2e\uff21"),  # full width
    ("ana", "a.n-a_"),
    ("Ana Soto", "AnaSoto"),
    ("Ana Soto", " ana  soto."),
    ("Ana Soto", "Ana S0to"),
    ("Luis", "1uis"),
    ("Luis", "Iuis"),
    ("Marna", "Mama"),
    ("Wanda", "VVanda"),
    ("Peña", "Pena"),
    ("S\u00f8ren", "Soren"),
    ("\u0141ukasz", "Lukasz"),
    ("Stra\u00dfe", "STRASSE"),
    ("\u00c6sa", "aesa"),
    ("Ana \U0001f600", "Ana"),
]
TWO_NAMES = [
    ("jefa", "jefe"),
    ("Ana Soto", "Ana Sotomayor"),
    ("Ana Soto", "Soto Ana"),
    ("Clara", "Dara"),
    ("croupier2", "croupier3"),
    ("\u738b\u82b3", "\u738b\u5a1c"),
]


@pytest.mark.parametrize(("one", "other"), ONE_NAME)
def test_r36_a_tired_reader_takes_them_for_one(one, other):
    assert as_read(one) == as_read(other) != ""
    assert refuse_without_two([one, other], "second") is not None


@pytest.mark.parametrize(("one", "other"), TWO_NAMES)
def test_r36_honest_names_stay_apart(one, other):
    assert as_read(one) != as_read(other)
    assert refuse_without_two([one, other], "second") is None


def test_r36_signs_alone_are_nobody_s_name_and_still_two_of_an_older_record():
    assert as_read("\u2026!?") == ""
    assert refuse_without_two(["!", "?"], "second") is None
    assert refuse_without_two(["!", " ! "], "second") is not None


def test_r36_the_auditor_s_own_table_reads_every_letter_alike():
    """Written twice; a letter that only one of them folds would make a right record wrong, or hide a second self."""
    differ = [
        hex(number)
        for number in range(sys.maxunicode + 1)
        if unicodedata.category(chr(number)) not in {"Cn", "Cs", "Co"} and as_read(chr(number)) != read_as(chr(number))
    ]

    assert differ == []
    for one, other in (*ONE_NAME, *TWO_NAMES):
        assert (as_read(one), as_read(other)) == (read_as(one), read_as(other))
