"""`pozo settle` and `pozo accrue` as programs: hostile lines, order, memory, conversation (R-1, R-27, R-32)."""

import io
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.approval import accrue_lines, settle_lines
from controller.approval.lines import MOST_BYTES, answer_all
from controller.documents import read_laws
from controller.rules.cards import CARDS, NAMES, Category, hands_of
from support.places import CONFIG, ROOT

POZO = [str(Path(sys.executable).parent / "pozo")]
EXAMPLES = ROOT / "docs/examples"
SETTLE = settle_lines.answers(read_laws().rulesets)

PASS = {
    "id": "p1", "ruleset": "scj-2023", "modality": "texas_plus", "unit": 1, "community": ["As", "Ks", "Qs"],
    "pot": {"main": 80000000, "base": 5000000, "reserves": [{"name": "reserva0", "amount": 700}]},
    "seats": [{"seat": 2, "bet": 1000, "cards": ["Js", "Ts"]},
              {"seat": 5, "bet": 1000, "cards": ["9s", "2s"], "folded": True},
              {"seat": 6, "bet": 500, "cards": ["3s", "8s"], "lamp": False}],
}  # fmt: skip
BETS = {"id": "a1", "commission_ppm": 125000, "reserves_ppm": {"reserva0": 200000}, "amounts": [1000, 7001, -1000]}
GAMES = {
    "draw": (5, 0, 6),
    "caribbean": (5, 0, 7),
    "caribbean_plus": (5, 0, 7),
    "go": (3, 2, 7),
    "texas_plus": (2, 3, 6),
}
GOOD, GOOD_BETS = json.dumps(PASS).encode(), json.dumps(BETS).encode()


class Piecemeal(io.BytesIO):
    """A source that gives a few bytes at a time, as a pipe may."""

    def __init__(self, data, size):
        super().__init__(data)
        self.size = size

    def read1(self, _=-1):
        return self.read(self.size)


def answers(data, answer=SETTLE, size=2**18):
    sink = io.BytesIO()
    all_good = answer_all(Piecemeal(data, size), sink, answer)
    rows = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert sink.getvalue().count(b"\n") == len(rows)
    assert all_good == all("error" not in row for row in rows)
    return rows


def changed(base=PASS, **changes):
    return json.dumps({**base, **changes}).encode()


def seat(**changes):
    return [{"seat": 2, "bet": 1000, **changes}]


def test_the_two_examples_of_the_issue_to_the_letter():
    assert answers(GOOD) == [{
        "id": "p1",
        "awards": [{"seat": 2, "category": "escalera_real", "amount": 80000000, "from": {"main": 80000000}, "rules": ["R-11", "R-15"]}],
        "not_paid": [{"seat": 5, "reason": "folded", "rules": ["R-8"]}, {"seat": 6, "reason": "lamp", "rules": ["R-6"]}],
        "pot": {"main": 5000000, "reserves": [{"name": "reserva0", "amount": 0}]},
        "house_advance": 0, "reset": {"reserva0": 700, "house": 4999300},
    }]  # fmt: skip
    assert answers(GOOD_BETS, accrue_lines.answer) == [{
        "id": "a1",
        "contributions": [{"commission": 125, "reserva0": 175, "main": 700}, {"commission": 875, "reserva0": 1225, "main": 4901},
                          {"commission": -125, "reserva0": -175, "main": -700}],
    }]  # fmt: skip


def test_an_award_of_nothing_has_an_empty_source_and_a_base_of_nothing_an_empty_reset():
    (row,) = answers(changed(pot={"main": 0}))

    assert row["awards"][0]["amount"] == 0
    assert row["awards"][0]["from"] == {}
    assert row["reset"] == {}
    assert row["pot"] == {"main": 0, "reserves": []}


def test_every_seat_of_the_line_is_answered_once_whatever_becomes_of_it():
    line = changed(modality="caribbean", community=[], seats=[
        {"seat": 4, "bet": 5, "category": "full"}, {"seat": 7, "bet": 0}, {"seat": 1, "bet": 5}, {"seat": 3, "bet": 5, "lamp": False},
        {"seat": 2, "bet": 5, "cards": ["2c", "4d", "6h", "8s", "Tc"]}, {"seat": 6, "bet": 5, "folded": True},
    ])  # fmt: skip
    (row,) = answers(line)

    assert [award["seat"] for award in row["awards"]] == [4]
    assert [(unpaid["seat"], unpaid["reason"]) for unpaid in row["not_paid"]] == [
        (1, "no_claim"), (2, "no_prize"), (3, "lamp"), (6, "folded"), (7, "no_bet"),
    ]  # fmt: skip


def test_r8_an_act_that_the_game_does_not_have_is_an_error_of_the_line_with_rule_and_place():
    hand = ["As", "Ks", "Qs", "Js", "Ts"]
    (row,) = answers(
        changed(modality="caribbean", community=[], seats=[{"seat": 2, "bet": 5, "cards": hand, "exchanged": True}])
    )
    assert (row["error"]["code"], row["error"]["rule"], row["error"]["where"]) == (
        "act_not_in_game",
        "R-8",
        "seats[0].exchanged",
    )

    plus = changed(
        modality="caribbean_plus", community=[], seats=[{"seat": 2, "bet": 5, "cards": hand, "exchanged": True}]
    )
    (row,) = answers(plus)
    assert (row["awards"], row["not_paid"]) == ([], [{"seat": 2, "reason": "exchanged", "rules": ["R-8"]}])


HOSTILE = [
    # name, line, code, rule, where
    ("empty", b"", "bad_json", "R-27", "line"),
    ("spaces", b"   ", "bad_json", "R-27", "line"),
    ("broken", b'{"id":"p1",', "bad_json", "R-27", "line"),
    ("two values", GOOD + GOOD, "bad_json", "R-27", "line"),
    ("not an object", b"[1,2]", "wrong_type", "R-27", "line"),
    ("byte order mark", b"\xef\xbb\xbf" + GOOD, "bad_json", "R-27", "line"),
    ("NaN", GOOD.replace(b"80000000", b"NaN"), "bad_json", "R-27", "line"),
    ("Infinity", GOOD.replace(b"80000000", b"-Infinity"), "bad_json", "R-27", "line"),
    ("not UTF-8", GOOD.replace(b"p1", b"\xff\xfe"), "bad_json", "R-27", "line"),
    ("a lone surrogate", GOOD.replace(b"p1", b"\\ud800"), "bad_json", "R-27", "line"),
    ("a lone surrogate in UTF-8", GOOD.replace(b"p1", b"\xed\xa0\x80"), "bad_json", "R-27", "line"),
    ("a control character", GOOD.replace(b"p1", b"p\x001"), "bad_json", "R-27", "line"),
    ("deep", b'{"id":' + b"[" * 200_000, "wrong_type", "R-27", "id"),
    ("deep and unknown", b'{"x":' + b"[" * 200_000, "unknown_key", "R-27", "x"),
    ("a float", GOOD.replace(b"80000000", b"80000000.0"), "not_whole", "R-1", "pot.main"),
    ("an exponent", GOOD.replace(b"80000000", b"8e7"), "not_whole", "R-1", "pot.main"),
    ("a huge number", GOOD.replace(b"80000000", b"9" * 4000), "out_of_range", "R-1", "pot.main"),
    ("a huger number", GOOD.replace(b"80000000", b"9" * 100_000), "out_of_range", "R-1", "pot.main"),
    ("one too many", changed(pot={"main": 10**15 + 1}), "out_of_range", "R-1", "pot.main"),
    ("below zero", changed(seats=seat(bet=-1)), "out_of_range", "R-1", "seats[0].bet"),
    ("a text for money", changed(seats=seat(bet="1000")), "wrong_type", "R-1", "seats[0].bet"),
    ("true for money", changed(seats=seat(bet=True)), "wrong_type", "R-1", "seats[0].bet"),
    ("null for money", changed(seats=seat(bet=None)), "wrong_type", "R-1", "seats[0].bet"),
    ("a number for a flag", changed(seats=seat(lamp=1)), "wrong_type", "R-6", "seats[0].lamp"),
    ("an unknown key", changed(bonus=1), "unknown_key", "R-27", "bonus"),
    ("an unknown key of a seat", changed(seats=seat(colour="red")), "unknown_key", "R-27", "seats[0].colour"),
    ("an unknown key with a line end", b'{"a\\nb":1}', "unknown_key", "R-27", "a\\nb"),
    ("an unknown key that looks like a place", b'{"x` - at `$.' + b"[" * 200_000 + b'":1}', "unknown_key", "R-27", "x` - at `$." + "[" * 49 + "..."),
    ("a seat of four thousand digits", GOOD.replace(b'"seat": 2', b'"seat": ' + b"2" * 4000), "out_of_range", "R-7", "seats[0].seat"),
    ("a seat that is none", changed(seats=[{"seat": 100, "bet": 1}]), "out_of_range", "R-7", "seats[0].seat"),
    ("seat nought", changed(seats=[{"seat": 0, "bet": 1}]), "seat_unknown", "R-7", "seats[0].seat"),
    ("an unknown key of a megabyte", b'{"' + b"k" * 2**20 + b'":1}', "unknown_key", "R-27", "k" * 60 + "..."),
    ("a bet that no prize of 64 bits could pay", changed(seats=seat(bet=10**10 + 1)), "out_of_range", "R-1", "seats[0].bet"),
    ("a hundred thousand reserves", changed(pot={"main": 1, "reserves": [{"name": f"r{at}", "amount": 0} for at in range(100_000)]}),
     "out_of_range", "R-24", "pot.reserves"),
    ("a missing key", changed(seats=[{"seat": 2}]), "missing_key", "R-1", "seats[0].bet"),
    ("no pot", json.dumps({key: value for key, value in PASS.items() if key != "pot"}).encode(), "missing_key", "R-24", "pot"),
    ("a key twice", GOOD.replace(b'"bet": 1000', b'"bet": 1, "bet": 1000', 1), "repeated_key", "R-27", "bet"),
    ("a key twice in disguise", GOOD.replace(b'"bet": 1000', b'"b\\u0065t": 1, "bet": 1000', 1), "repeated_key", "R-27", "bet"),
    ("a long id", changed(id="x" * 300), "out_of_range", "R-27", "id"),
    ("an id of another kind", changed(id={"a": 1}), "wrong_type", "R-27", "id"),
    ("an unknown law", changed(ruleset="scj-1999"), "unknown_ruleset", "R-26", "ruleset"),
    ("a modality of another law", changed(modality="arica_plus"), "unknown_modality", "R-7", "modality"),
    ("no unit where the law pays per unit", json.dumps({"id": 1, "ruleset": "arica-2017", "modality": "draw", "pot": {"main": 1},
                                                        "seats": []}).encode(), "missing_key", "R-11", "unit"),
    ("a unit of nothing", changed(unit=0), "out_of_range", "R-11", "unit"),
    ("an unknown hand", changed(seats=seat(category="trio")), "unknown_value", "R-10", "seats[0].category"),
    ("ten thousand seats", changed(seats=seat() * 10_000), "too_many_seats", "R-7", "seats"),
    ("an unknown card", changed(seats=seat(cards=["Js", "10s"])), "unknown_card", "R-32", "seats[0].cards[1]"),
    ("a card in small letters", changed(community=["as", "Ks", "Qs"]), "unknown_card", "R-32", "community[0]"),
    ("a card of a megabyte", changed(seats=seat(cards=["J" * 2**20])), "out_of_range", "R-32", "seats[0].cards[0]"),
    ("cards that are none", changed(seats=seat(cards=[1, 2])), "wrong_type", "R-32", "seats[0].cards[0]"),
    ("duplicate cards", changed(seats=seat(cards=["As", "Ts"])), "card_twice", "R-32", "seats[0].cards[0]"),
    ("before the lock", changed(locked=False), "not_locked", "R-5", "locked"),
    ("a reserve named like the house", changed(pot={"main": 1, "reserves": [{"name": "house", "amount": 1}]}), "name_taken", "R-24",
     "pot.reserves[0].name"),
    ("two reserves of one name", changed(pot={"main": 1, "reserves": [{"name": "r", "amount": 1}] * 2}), "name_taken", "R-24",
     "pot.reserves[1].name"),
    ("a reserve without a name", changed(pot={"main": 1, "reserves": [{"name": "", "amount": 1}]}), "out_of_range", "R-24",
     "pot.reserves[0].name"),
    ("ten megabytes", GOOD + b" " * (10 * 2**20), "line_too_long", "R-27", "line"),
    ("ten megabytes of nothing", b"x" * (10 * 2**20), "line_too_long", "R-27", "line"),
]  # fmt: skip

HOSTILE_BETS = [
    ("a float", changed(BETS, amounts=[1, 2.5]), "not_whole", "R-1", "amounts[1]"),
    ("NaN", GOOD_BETS.replace(b"7001", b"NaN"), "bad_json", "R-27", "line"),
    ("too much", changed(BETS, amounts=[10**15 + 1]), "out_of_range", "R-1", "amounts[0]"),
    ("more than everything", changed(BETS, commission_ppm=1_000_001), "out_of_range", "R-22", "commission_ppm"),
    ("less than nothing", changed(BETS, reserves_ppm={"r": -1}), "out_of_range", "R-22", "reserves_ppm.r"),
    (
        "reserves over the whole",
        changed(BETS, reserves_ppm={"a": 600_000, "b": 400_001}),
        "shares_over_the_whole",
        "R-22",
        "reserves_ppm",
    ),
    (
        "a crowd of reserves",
        changed(BETS, reserves_ppm={f"r{at}": 0 for at in range(65)}),
        "out_of_range",
        "R-22",
        "reserves_ppm",
    ),
    ("a reserve named main", changed(BETS, reserves_ppm={"main": 1}), "name_taken", "R-24", "reserves_ppm.main"),
    ("a reserve twice", GOOD_BETS.replace(b'{"reserva0": 200000}', b'{"r": 1, "r": 2}'), "repeated_key", "R-27", "r"),
    ("no amounts", b'{"id":"a","commission_ppm":1}', "missing_key", "R-1", "amounts"),
    ("ten megabytes", changed(BETS, amounts=[1000] * 2_000_000), "line_too_long", "R-27", "line"),
]


def hostile_cases():
    for answer, good, rows in ((SETTLE, GOOD, HOSTILE), (accrue_lines.answer, GOOD_BETS, HOSTILE_BETS)):
        for name, *rest in rows:
            yield pytest.param(answer, good, *rest, id=f"{'settle' if answer is SETTLE else 'accrue'}: {name}")


@pytest.mark.parametrize(("answer", "good", "line", "code", "rule", "where"), list(hostile_cases()))
def test_a_hostile_line_gets_its_error_and_nothing_else_breaks(answer, good, line, code, rule, where):
    before, row, after = answers(b"\n".join([good, line, good]), answer)

    assert before == after
    assert "error" not in before
    assert set(row) == {"id", "error"}
    assert set(row["error"]) == {"code", "message", "rule", "where"}
    assert (row["error"]["code"], row["error"]["rule"], row["error"]["where"]) == (code, rule, where)
    assert 10 < len(row["error"]["message"]) < 300


@pytest.mark.parametrize(
    ("line", "id_"),
    [(changed(bonus=1), "p1"), (changed(id=7, bonus=1), 7), (GOOD.replace(b"80000000", b"NaN"), "p1"),
     (GOOD.replace(b"700", b"1e999"), "p1"), (changed(id=[1]), None), (changed(id="x" * 300), None), (changed(id=2**70), None),
     (b'{"id":"caf\\u00e9 \\"1\\"",', "café \"1\""), (b'{"id":"\xff",', None), (b'{"bet":1,"id":"late"', None), (b"{}", None)],
)  # fmt: skip
def test_a_line_with_an_error_still_names_its_id_where_it_has_one(line, id_):
    (row,) = answers(line)

    assert row["id"] == id_


@pytest.mark.campaign
@given(st.binary(max_size=300))
def test_no_bytes_whatever_break_the_stream(junk):
    rows = answers(GOOD + b"\n" + junk + b"\n" + GOOD)

    assert len(rows) == 2 + 1 + junk.count(b"\n")
    assert rows[0] == rows[-1] == answers(GOOD)[0]


@pytest.mark.campaign
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(PASS)), inner, max_size=3),
    ),
    st.sampled_from(
        [["pot"], ["seats"], ["seats", 0], ["seats", 0, "cards"], ["pot", "reserves"], ["id"], ["unit"], ["community"]]
    ),
)
def test_no_value_whatever_breaks_the_answer(value, place):  # fmt: skip
    line = json.loads(GOOD)
    inner = line
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value

    (row,) = answers(json.dumps(line).encode())

    assert ("error" in row) != ("awards" in row)


@pytest.mark.campaign
@given(
    st.integers(1, 700), st.lists(st.sampled_from([GOOD, b"", b"{", changed(id="other")]), max_size=6), st.booleans()
)
def test_how_the_bytes_arrive_changes_nothing(size, lines, ends_with_newline):
    data = b"\n".join(lines) + (b"\n" if ends_with_newline and lines else b"")

    assert answers(data, size=size) == answers(data)


def test_the_limit_of_a_line_is_exact_however_it_arrives():
    fits = GOOD + b" " * (MOST_BYTES - len(GOOD))
    for size in (2**16, 2**20 + 1):
        codes = [row.get("error", {}).get("code") for row in answers(fits + b"\n" + fits + b" \n" + GOOD, size=size)]
        assert codes == [None, "line_too_long", None]
    assert answers(b"x" * (MOST_BYTES + 1))[0]["error"]["code"] == "line_too_long"


def test_no_award_leaves_64_bits():
    line = changed(ruleset="arica-2017", modality="arica_plus", community=[], unit=1, seats=[
        {"seat": at, "bet": 10**10, "cards": [f"{rank}{suit}" for suit in "cdhs"] + [kicker]}
        for at, (rank, kicker) in enumerate(zip("2345678", ["9c", "Tc", "Jc", "Qc", "Kc", "Ac", "9d"], strict=True), 1)
    ])  # fmt: skip
    (row,) = answers(line)

    assert [award["amount"] for award in row["awards"]] == [10**15] * 7
    assert row["house_advance"] < 2**63


def test_r11_a_unit_is_nothing_to_a_law_that_does_not_pay_per_unit():
    (row,) = answers(changed(modality="caribbean", community=[], unit=1000, seats=seat(bet=1500, category="color")))
    assert row["awards"][0]["amount"] == 75_000

    (row,) = answers(
        changed(ruleset="arica-2017", modality="draw", community=[], unit=1000, seats=seat(bet=1500, category="color"))
    )
    assert row["error"]["code"] == "bet_not_whole_units"


@pytest.mark.campaign
@given(st.randoms(use_true_random=False), st.sampled_from(sorted(GAMES)), st.integers(0, 10**8), st.integers(0, 10**7))
def test_r13_r18_the_order_of_the_seats_changes_nothing_and_no_peso_is_lost(chance, game, main, base):
    """Whole passes through the command; the other cards of the first seat are chosen to make winners frequent."""
    own, shared, most = GAMES[game]
    hand = [
        NAMES[card]
        for card in chance.choice(hands_of(chance.choice([Category.COLOR, Category.FULL, Category.ESCALERA_REAL])))
    ]
    chance.shuffle(hand)
    rest = chance.sample([name for name in CARDS if name not in hand], own * (most - 1))
    hands = [hand[shared:], *(rest[at * own :][:own] for at in range(most - 1))]
    seats = [
        {
            "seat": at,
            "bet": 1000 * chance.randint(0, 5),
            "cards": cards,
            "folded": chance.random() < 0.2,
            "lamp": chance.random() < 0.9,
        }
        for at, cards in enumerate(hands, 1)
    ]
    pot = {"main": main, "base": base, "reserves": [{"name": "r", "amount": chance.randint(0, 10**6)}]}
    lines = [
        changed(modality=game, community=hand[:shared], pot=pot, seats=order)
        for order in (seats, chance.sample(seats, len(seats)))
    ]

    one, other = answers(b"\n".join(lines))

    assert one == other
    assert sorted(row["seat"] for row in one["awards"] + one["not_paid"]) == list(range(1, most + 1))
    before, after = (pots["main"] + pots["reserves"][0]["amount"] for pots in (pot, one["pot"]))
    house = one["house_advance"] + (one["reset"] or {}).get("house", 0)
    assert sum(award["amount"] for award in one["awards"]) + after == before + house
    assert all(sum(award["from"].values()) == award["amount"] for award in one["awards"])


def test_windows_line_ends_are_white_space():
    assert answers(GOOD + b"\r\n" + GOOD + b"\r\n") == answers(GOOD) * 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("answer", "line"), [(SETTLE, GOOD), (accrue_lines.answer, GOOD_BETS)], ids=["settle", "accrue"]
)
def test_memory_does_not_grow_with_the_lines(answer, line):
    class Endless(io.BytesIO):
        left = 0

        def read1(self, _=-1):
            self.left -= 1
            return (line + b"\n") * 100 if self.left > 0 else b""

    class Nowhere(io.BytesIO):
        def write(self, data):
            return len(data)

        def writelines(self, lines):
            for _ in lines:
                pass

    def peak(chunks):
        source = Endless()
        source.left = chunks
        tracemalloc.start()
        answer_all(source, Nowhere(), answer)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    # Twenty-nine thousand more lines; keeping one byte of each would be seen. `make bench` does a million.
    assert peak(300) < peak(6) + 250_000


def test_the_rows_of_a_long_line_are_whole_at_every_border():
    for count in (0, 1, 1023, 1024, 1025, 2048, 2049):
        (row,) = answers(changed(BETS, amounts=[1000] * count), accrue_lines.answer)
        assert len(row["contributions"]) == count


def test_names_of_reserves_may_hold_any_text():
    (row,) = answers(changed(BETS, reserves_ppm={'100 % "día" %d': 200000}), accrue_lines.answer)

    assert row["contributions"][0] == {"commission": 125, '100 % "día" %d': 175, "main": 700}


# The real command.


def run(*arguments, data=b"", **options):
    return subprocess.run([*POZO, *arguments], input=data, capture_output=True, timeout=120, check=False, **options)


@pytest.mark.process
def test_the_command_answers_a_file_or_its_input_and_tells_by_its_exit_code():
    whole = run("settle", str(EXAMPLES / "passes.jsonl"))
    piped = run("settle", data=(EXAMPLES / "passes.jsonl").read_bytes())
    good = run("accrue", str(EXAMPLES / "bets.jsonl"))

    assert (whole.returncode, whole.stdout) == (1, piped.stdout)
    assert len(whole.stdout.splitlines()) == 6
    assert (good.returncode, len(good.stdout.splitlines()), good.stderr) == (0, 2, b"")
    assert run("settle").stdout == b""


@pytest.mark.process
def test_the_command_can_hold_a_conversation():
    with subprocess.Popen([*POZO, "settle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as talk:
        for at in range(3):
            talk.stdin.write(changed(id=at) + b"\n")
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["id"] == at
        talk.stdin.close()
        assert talk.wait(30) == 0


@pytest.mark.process
def test_a_reader_who_has_seen_enough_gets_no_traceback(tmp_path):
    (tmp_path / "many.jsonl").write_bytes((GOOD + b"\n") * 20_000)
    with subprocess.Popen(
        [*POZO, "settle", str(tmp_path / "many.jsonl")], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as talk:
        assert json.loads(talk.stdout.readline())["id"] == "p1"
        talk.stdout.close()
        assert talk.stderr.read() == b""
        assert talk.wait(30) == 1


@pytest.mark.process
def test_a_law_of_ones_own_is_found_beside_the_others(tmp_path):
    text = (CONFIG / "rulesets/scj-2023.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('"scj-2023"', '"mine"').replace('"nearest_winner"', '"one_each"'))
    line = changed(ruleset="mine", modality="caribbean", community=[], pot={"main": 10_000_004}, seats=[
        {"seat": at, "bet": 1, "cards": [rank + suit for rank in "AKQJT"]} for at, suit in ((1, "s"), (3, "h"), (7, "d"))
    ])  # fmt: skip
    done = run("settle", "--rulesets", str(tmp_path), data=line)

    assert [award["amount"] for award in json.loads(done.stdout)["awards"]] == [3_333_335, 3_333_335, 3_333_334]
    (tmp_path / "mine.toml").write_text(text.replace("times = 50", "times = 50.5"))
    broken = run("settle", "--rulesets", str(tmp_path), data=line)
    assert broken.returncode == 1
    assert broken.stdout == b""
    assert b"mine.toml: paytable.color.times: " in broken.stderr
    assert broken.stderr.count(b"\n") == 1


@pytest.mark.process
@pytest.mark.parametrize(
    ("redirection", "words"), [("> /dev/full", "No space left"), ("<&-", "closed"), (">&-", "closed")]
)
def test_a_stream_that_is_no_use_is_one_line_and_no_traceback(redirection, words):
    command = f"{POZO[0]} settle {EXAMPLES / 'passes.jsonl' if '<' not in redirection else ''} {redirection}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)

    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.process
def test_without_assertions_the_program_refuses_to_run():
    done = subprocess.run(
        [sys.executable, "-O", *POZO, "settle"], input=GOOD, capture_output=True, timeout=60, check=False
    )

    assert done.returncode == 1
    assert done.stdout == b""
    assert b"assertions are off" in done.stderr
