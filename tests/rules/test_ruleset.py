"""Rulesets are data, read strictly: every mistake is one error that names file, key and rule (R-33, R-11, R-7, R-8)."""

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from controller.documents import read_laws, read_text, shelf
from controller.rules.cards import Category
from controller.rules.document import DocumentError
from controller.rules.prizes import DrawnBy, PaidIn
from controller.rules.readings import Backing, Cap, LateFrom, OddUnits, PerUnitOwed, Readings, RealAfterCap, VoidUndoes
from controller.rules.ruleset import Forfeit, PerUnit, Share, Times, load_ruleset

SCJ = (shelf() / "rulesets" / "scj-2023.toml").read_text()
ARICA = (shelf() / "rulesets" / "arica-2017.toml").read_text()

PAYTABLE = {
    # R-11, the table of rules.md
    "scj-2023": [("color", 50), ("full", 100), ("poker", 500), ("escalera_color", (100_000, 5000)), ("escalera_real", (1_000_000, None))],
    "arica-2017": [("escalera", 20_000), ("color", 25_000), ("full", 40_000), ("poker", 100_000),
                   ("escalera_color", (100_000, None)), ("escalera_real", (1_000_000, None))],
}  # fmt: skip
PAYTABLE["aj-bolivia"] = PAYTABLE["scj-2023"]


def amount(prize):
    if isinstance(prize, Times):
        return prize.times
    return prize.amount if isinstance(prize, PerUnit) else (prize.ppm, prize.cap_times)


@pytest.mark.parametrize("law", PAYTABLE)
def test_r11_r13_each_law_pays_what_the_table_says_in_paying_order(rulesets, law):
    paytable = rulesets[law].paytable

    assert [(category.name.lower(), amount(prize)) for category, prize in paytable.items()] == PAYTABLE[law]
    assert rulesets[law].pays_per_unit == (law == "arica-2017")


def test_r1_r21_r28_r29_r33_the_other_terms_of_each_law(rulesets):
    scj, aj, arica = (rulesets[name] for name in ("scj-2023", "aj-bolivia", "arica-2017"))

    assert [(law.currency.code, law.currency.decimals) for law in (scj, aj, arica)] == [
        ("CLP", 0),
        ("BOB", 2),
        ("CLP", 0),
    ]
    assert [law.inter_casino for law in (scj, aj, arica)] == [True, False, True]
    assert {law.verification_minutes for law in (scj, aj, arica)} == {30}
    assert scj.complementary.paid_in == arica.complementary.paid_in == (PaidIn.CASH, PaidIn.PROMOTIONAL_CREDITS)
    assert aj.complementary.paid_in == (PaidIn.CHIPS, PaidIn.PROMOTIONAL_CREDITS)
    assert [(prize.name, prize.amount, prize.drawn) for prize in arica.complementary.named] == [
        ("Jugador Afortunado", 15_000, DrawnBy.SEAT), ("Carta Mágica", 15_000, DrawnBy.CARD),
    ]  # fmt: skip
    assert {replace(law.readings, clause="") for law in (scj, aj, arica)} == {Readings(clause="")}


def test_r33_every_other_reading_can_be_approved():
    text = SCJ
    for default, other in [
        ("each_winner", "category"), ("nearest_winner", "one_each"), ("contributions", "nothing"), ("reserves_then_house", "house"),
        ("as_in_time", "house"), ("rest", "uncut"), ("each_unit", "bet"),
    ]:  # fmt: skip
        text = text.replace(f'= "{default}"', f'= "{other}"')

    assert replace(load_ruleset(text, "x").readings, clause="") == Readings(
        Cap.CATEGORY, OddUnits.ONE_EACH, Backing.HOUSE, Backing.HOUSE, VoidUndoes.NOTHING,
        LateFrom.HOUSE, RealAfterCap.UNCUT, False, PerUnitOwed.BET, "",
    )  # fmt: skip


NEW_KEYS = ("late_from", "real_after_cap", "draw_fold_forfeits", 'per_unit = "', "acts")


@pytest.mark.parametrize("text", [SCJ, ARICA], ids=["scj", "arica"])
def test_r8_r33_a_ruleset_of_before_the_second_reading_means_what_it_meant(text):
    """It has none of the new settings: every default; and it says nothing of acts, so every one is taken."""
    old = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith(NEW_KEYS))
    law, now = load_ruleset(old, "x"), load_ruleset(text, "x")

    assert law.readings == now.readings == replace(Readings(), clause=law.readings.clause)
    assert all(game.acts == frozenset(Forfeit) for game in law.modalities.values())
    assert [game.forfeits for game in law.modalities.values()] == [game.forfeits for game in now.modalities.values()]


def test_r35_every_law_has_each_hand_reviewed_but_aj_and_one_that_does_not_say_does():
    silent = SCJ.replace("[review]", "[ignored]").split("[ignored]")
    before, after = silent[0], silent[1].split("\n\n", 1)[1]

    assert load_ruleset(SCJ, "x").reviews_every_hand and load_ruleset(ARICA, "x").reviews_every_hand
    assert load_ruleset(before + after, "x").reviews_every_hand, "of the first reading"
    assert not load_ruleset(SCJ.replace("every_hand = true", "every_hand = false"), "x").reviews_every_hand


def test_r8_r33_a_folded_draw_hand_of_arica_keeps_its_claim_unless_the_authority_reads_it_otherwise():
    other = ARICA.replace("draw_fold_forfeits = false", "draw_fold_forfeits = true")

    assert load_ruleset(ARICA, "x").modalities["draw"].forfeits == {Forfeit.EXCHANGED}
    assert load_ruleset(other, "x").modalities["draw"].forfeits == {Forfeit.EXCHANGED, Forfeit.FOLDED}
    assert load_ruleset(other, "x").modalities["arica_plus"] == load_ruleset(ARICA, "x").modalities["arica_plus"]
    none = other.replace("[modalities.draw]", "[modalities.stud]")
    assert load_ruleset(none, "x").readings.draw_fold_forfeits, "a law without Draw may say it too"


def test_r33_a_reading_that_its_game_does_not_obey_is_a_broken_invariant():
    law = load_ruleset(ARICA, "x")
    with pytest.raises(AssertionError, match=r"^R-33"):
        replace(law, readings=Readings(draw_fold_forfeits=True))
    with pytest.raises(AssertionError, match=r"^R-8: what forfeits"):
        replace(law.modalities["draw"], acts=frozenset())


def test_every_value_of_a_shipped_law_has_its_clause():
    def tables(node):
        if isinstance(node, dict):
            yield node
            for value in node.values():
                yield from tables(value)
        elif isinstance(node, list):
            for value in node:
                yield from tables(value)

    for path in (shelf() / "rulesets").glob("*.toml"):
        document = tomllib.loads(path.read_text())
        for key in ("currency", "verification", "inter_casino", "paytable", "modalities", "readings", "complementary"):
            for table in tables(document[key]):
                holds_values = any(not isinstance(value, dict | list) for value in table.values())
                assert not holds_values or table.get("clause"), (path.name, key, table)


MISTAKES = [
    # what is written instead of what, in which law; the key and the rule that the error names
    ('name = "scj-2023"', "", "name", "R-26"),
    ('name = "scj-2023"', 'name = ""', "name", "R-26"),
    ('name = "scj-2023"', "name = 7", "name", "R-26"),
    ('name = "scj-2023"', 'name = "a\\nb"', "name", "R-26"),
    ('name = "scj-2023"', 'name = "scj-2023"\ncolour = "red"', "colour", "R-26"),
    ('symbol = "$"', 'symbol = "$"\nsign = 1', "currency.sign", "R-26"),
    ("decimals = 0", "decimals = 9", "currency.decimals", "R-1"),
    ("decimals = 0", "decimals = 0.0", "currency.decimals", "R-1"),
    ("decimals = 0", "decimals = false", "currency.decimals", "R-1"),
    ("minutes = 30", "minutes = -1", "verification.minutes", "R-21"),
    ("minutes = 30", "minutes = 30\nseconds = 5", "verification.seconds", "R-26"),
    ("[inter_casino]              # R-28\nallowed = true", "[inter_casino]\nallowed = 1", "inter_casino.allowed", "R-28"),
    ("[inter_casino]              # R-28\nallowed = true", "[inter_casino]", "inter_casino.allowed", "R-28"),
    ('clause = "SCJ 6.6, último inciso"', 'note = "SCJ"', "inter_casino.clause", "R-28"),
    ('clause = "SCJ 6.6, último inciso"', 'clause = "SCJ"\nnote = 1', "inter_casino.note", "R-26"),
    ("[paytable.color]", "[paytable.trio]", "paytable.trio", "R-10"),
    ("[paytable.color]", "[paytable.nothing]", "paytable.nothing", "R-10"),
    ("times = 50\n", "times = 0\n", "paytable.color.times", "R-11"),
    ("times = 50\n", 'times = "50"\n', "paytable.color.times", "R-11"),
    ("times = 50\n", "times = 50\nper_unit = 1000\n", "paytable.color.times", "R-11"),
    ("times = 50\n", "", "paytable.color.times", "R-11"),
    ("times = 50\n", "times = 50\ncap_times = 3\n", "paytable.color.cap_times", "R-26"),
    ("times = 50\n", "per_unit = 0\n", "paytable.color.per_unit", "R-11"),
    ("percent_ppm = 100000\n", "percent_ppm = 100000.5\n", "paytable.escalera_color.percent_ppm", "R-11"),
    ("percent_ppm = 100000\n", "percent_ppm = 1000001\n", "paytable.escalera_color.percent_ppm", "R-11"),
    ("percent_ppm = 100000\n", "percent_ppm = -1\n", "paytable.escalera_color.percent_ppm", "R-11"),
    ("percent_ppm = 100000\n", 'percent_ppm = "10 %"\n', "paytable.escalera_color.percent_ppm", "R-11"),
    ("percent_ppm = 100000\n", "percent_ppm = 1000000\n", "paytable.escalera_color", "R-15"),
    ("cap_times = 5000", "cap_times = 0", "paytable.escalera_color.cap_times", "R-17"),
    ("percent_ppm = 1000000\n", "percent_ppm = 1000000\ncap_times = 5\n", "paytable.escalera_real.cap_times", "R-19"),
    ("percent_ppm = 1000000\n", "times = 9\n", "paytable.escalera_real", "R-11"),
    ("times = 50\n", "percent_ppm = 5\n", "paytable.color", "R-15"),
    ("seats = 6\n", "seats = 0\n", "modalities.draw.seats", "R-7"),
    ("seats = 6\n", "seats = 9\n", "modalities.draw.seats", "R-7"),
    ("own_cards = 3\n", "own_cards = 4\n", "modalities.go.own_cards", "R-8"),
    ("[modalities.draw]", "[modalities.Draw]", "modalities.Draw", "R-7"),
    ("[modalities.draw]", '[modalities."dr\\naw"]', "modalities.dr\\naw", "R-7"),
    ('clause = "R-33, sobre SCJ', 'note = "R-33, sobre SCJ', "readings.clause", "R-33"),
    ('late_from = "as_in_time"', 'late_from = "bank"', "readings.late_from", "R-34"),
    ('real_after_cap = "rest"', "real_after_cap = 90", "readings.real_after_cap", "R-17"),
    ("draw_fold_forfeits = false", "draw_fold_forfeits = 0", "readings.draw_fold_forfeits", "R-8"),
    ('per_unit = "each_unit"', 'per_unit = "unit"', "readings.per_unit", "R-11"),
    ('acts = ["exchanged", "folded"]', 'acts = ["slept"]', "modalities.draw.acts", "R-8"),
    ('acts = ["exchanged", "folded"]', 'acts = ["folded"]', "modalities.draw.acts", "R-8"),
    ("percent_ppm = 100000\ncap_times = 5000\n", "times = 5000\n", "paytable.escalera_color", "R-11"),
    ("own_cards = 3\n", "own_cards = 6\n", "modalities.go.own_cards", "R-8"),
    ("community_cards = 2\n", "community_cards = 5\n", "modalities.go.community_cards", "R-8"),
    ('forfeits = ["exchanged", "folded"]', 'forfeits = ["exchanged", "slept"]', "modalities.draw.forfeits", "R-8"),
    ('forfeits = ["exchanged", "folded"]', 'forfeits = ["folded", "folded"]', "modalities.draw.forfeits", "R-8"),
    ('forfeits = ["exchanged", "folded"]', 'forfeits = "folded"', "modalities.draw.forfeits", "R-8"),
    ('forfeits = ["exchanged", "folded"]', "forfeits = [[]]", "modalities.draw.forfeits", "R-8"),
    ('cap = "each_winner"', 'cap = "nobody"', "readings.cap", "R-17"),
    ('cap = "each_winner"', "cap = 1", "readings.cap", "R-17"),
    ('odd_units = "nearest_winner"', "", "readings.odd_units", "R-16"),
    ('base_from = "reserves_then_house"', 'base_from = "bank"', "readings.base_from", "R-19"),
    ('shortfall_from = "reserves_then_house"', 'shortfall_from = ""', "readings.shortfall_from", "R-18"),
    ('void_undoes = "contributions"', 'void_undoes = "all"', "readings.void_undoes", "R-25"),
    ('void_undoes = "contributions"', 'void_undoes = "contributions"\nmore = 1', "readings.more", "R-26"),
    ('paid_in = ["cash", "promotional_credits"]', 'paid_in = ["gold"]', "complementary.paid_in", "R-29"),
    ('paid_in = ["cash", "promotional_credits"]', "paid_in = []", "complementary.paid_in", "R-29"),
    ("[complementary]             # R-29\nallowed = true", "[complementary]\nallowed = false", "complementary.paid_in", "R-29"),
    ("[readings] ", "[[readings]] ", "readings", "R-33"),
    ("[currency] ", "[currency", "TOML", "R-26"),
    ("[readings]                  # R-33: the defaults", "[modalities.x]\n[readings]", "modalities.x.own_cards", "R-8"),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "key", "rule"), MISTAKES)
def test_a_mistake_in_a_ruleset_is_one_error_with_file_key_and_rule(right, wrong, key, rule):
    assert right in SCJ
    with pytest.raises(DocumentError) as caught:
        load_ruleset(SCJ.replace(right, wrong, 1), "rules/mine.toml")

    error = caught.value
    assert (error.file, error.key, error.rule) == ("rules/mine.toml", key, rule)
    assert str(error) == f"rules/mine.toml: {key}: {error.what} ({rule})"
    assert len(str(error)) < 400


def test_r29_named_prizes_are_read_as_strictly():
    for right, wrong, key in [
        ('drawn = "seat"', 'drawn = "dog"', "complementary.prizes[0].drawn"),
        ("amount = 15000\ndrawn = \"card\"", "amount = 0\ndrawn = \"card\"", "complementary.prizes[1].amount"),
        ('drawn = "seat"', 'drawn = "seat"\nx = 1', "complementary.prizes[0].x"),
        ('allowed = true\npaid_in = ["cash", "promotional_credits"]', "allowed = false\npaid_in = []", "complementary.prizes"),
    ]:  # fmt: skip
        assert right in ARICA
        with pytest.raises(DocumentError) as caught:
            load_ruleset(ARICA.replace(right, wrong, 1), "a.toml")
        assert caught.value.key == key


def test_an_empty_paytable_and_no_modality_are_refused():
    head, _, rest = SCJ.partition("[paytable.color]")
    tail = rest[rest.index("[modalities.draw]") :]
    with pytest.raises(DocumentError, match=r"paytable: falta.*R-11"):
        load_ruleset(head + "[paytable]\n" + tail, "x")

    head, _, rest = SCJ.partition("[modalities.draw]")
    with pytest.raises(DocumentError, match=r"modalities: falta.*R-7"):
        load_ruleset(head + "[modalities]\n" + rest[rest.index("[readings]") :], "x")

    with pytest.raises(DocumentError, match=r"complementary.prizes: debe ser una lista de tablas"):
        load_ruleset(SCJ + "prizes = 3\n", "x")


def test_what_a_file_can_do_wrong_is_the_same_error(tmp_path):
    (tmp_path / "big.toml").write_bytes(b"#" * (2**20 + 1))
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    os.mkfifo(tmp_path / "pipe.toml")
    for name, words in [("big", "bytes"), ("latin", "UTF-8"), ("absent", "leer"), ("pipe", "no es un archivo")]:
        with pytest.raises(DocumentError, match=words):
            read_text(tmp_path / f"{name}.toml")
    for other in (tmp_path, Path("/dev/zero")):
        with pytest.raises(DocumentError, match="no es un archivo"):
            read_text(other)


@pytest.mark.parametrize(
    "hostile",
    [
        "x = " + "[" * 900, "x = [\n" * 20_000, "base = " + "9" * 900, "base = " + "9" * 5_000, "a." * 30_000 + "a = 1",
        "[" + ".\n".join("a" * 9) + "]", "x = 2026-99-99", "x = inf\ny = nan\nx = 1",
    ],
)  # fmt: skip
def test_a_hostile_document_is_one_error_at_once(hostile):
    with pytest.raises(DocumentError) as caught:
        load_ruleset(hostile, "x.toml")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        ('"a\\nb\\u001b[31m" = 1\n', "a\\nb\\x1b[31m"), (f'"{"k" * 500}" = 1\n', "k" * 60 + "..."),
    ],
)  # fmt: skip
def test_a_strange_key_is_shown_on_one_short_line(wrong, key):
    with pytest.raises(DocumentError) as caught:
        load_ruleset(wrong + SCJ, "x.toml")
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("value", "shown"),
    [("0x" + "F" * 300, "un número enorme"), ('""', "un texto vacío"), ("[1, 2]", "una lista"), ("{a = 1}", "una tabla"),
     ("true", "true"), ('"' + "x" * 300 + '"', "x" * 60 + "..."), ("2026-11-18", "2026-11-18")],
)  # fmt: skip
def test_a_wrong_value_is_shown_short(value, shown):
    with pytest.raises(DocumentError) as caught:
        load_ruleset(SCJ.replace("minutes = 30", f"minutes = {value}"), "x.toml")
    assert caught.value.what.endswith(f", no {shown}")


def test_r26_a_folder_of_the_users_adds_laws_and_never_replaces_one(tmp_path):
    (tmp_path / "mine.toml").write_text(SCJ.replace('name = "scj-2023"', 'name = "mine"'))
    assert set(read_laws(tmp_path).rulesets) == {"scj-2023", "aj-bolivia", "arica-2017", "mine"}

    (tmp_path / "again.toml").write_text(SCJ)
    with pytest.raises(DocumentError, match="ya hay un reglamento scj-2023"):
        read_laws(tmp_path)


def test_a_law_is_frozen(scj):
    with pytest.raises(TypeError):
        scj.paytable[Category.COLOR] = None
    with pytest.raises(AttributeError):
        scj.name = "other"
    assert isinstance(scj.paytable[Category.ESCALERA_REAL], Share)
