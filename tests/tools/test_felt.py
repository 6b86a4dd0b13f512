"""The felt to play at, without its pages: whole deals, who is there and for how long, and that no installed node has any of it."""

import ast
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.values import Phase
from controller.documents import shelf
from controller.node.settings.settings import read_node
from controller.play.casino import ALONE
from controller.play.croupier import Croupier, Tempo
from controller.play.dealing import dealt_to_all
from controller.play.felt.door import PLACE_KEPT, SEAT_KEPT, FeltDoor
from controller.play.felt.places import work_places
from controller.play.node import write_settings
from controller.rules.cards import CARDS, CATEGORIES, Category, classify
from drivers.session import SECOND
from firmware_sim.desk.desk import Desk
from firmware_sim.desk.file import read_desk
from firmware_sim.desk.players import Habits, Players
from support.node.demo_views import seat, seen, view
from support.places import ROOT

HANDS = list(CATEGORIES.values())


# ---------------------------------------------------------------------------------------------------- what is dealt


@given(
    seed=st.integers(0, 10**6),
    seats=st.lists(st.integers(1, 7), unique=True, max_size=7),
    own=st.sampled_from([5, 3, 2]),
    winning=st.sampled_from([0.0, 0.3, 1.0]),
    forced=st.sampled_from([None, *HANDS[1:]]),
    favoured=st.integers(0, 7),
)
def test_r10_every_seat_with_a_bet_has_its_cards_no_card_twice_and_only_winners_win(
    seed, seats, own, winning, forced, favoured
):
    deal = dealt_to_all(9, seats, own, Random(seed), winning, forced, favoured)

    made = {n: classify(CARDS[card] for card in (*cards, *deal.community)) for n, cards in deal.hands.items()}
    entered = {hand.seat for hand in deal.winners.hands}
    every = [card for cards in deal.hands.values() for card in cards] + list(deal.community)
    assert deal.hands.keys() == set(seats) and len(set(every)) == len(every)
    assert all(len(cards) == own for cards in deal.hands.values())
    assert {n for n, category in made.items() if category is not Category.NOTHING} == entered
    assert all(made[hand.seat] is CATEGORIES[hand.claimed] for hand in deal.winners.hands if hand.claimed)
    assert all(deal.hands[hand.seat] == hand.cards for hand in deal.winners.hands if hand.cards)
    if forced is not None and favoured in seats:
        assert made[favoured] is forced, "what was wished for is dealt to who wished it"


def test_what_the_croupier_enters_is_what_lies_on_the_felt():
    croupier = croupier_of()
    croupier.forced, croupier.favoured = CATEGORIES["full"], 2
    bets = [seat(1, bet=1000), seat(2, bet=1000), seat(3)]

    croupier.turn(view(Phase.OPEN), [], 0)
    croupier.turn(view(Phase.SEALED, seats=bets), [], 1)
    _, wanted = croupier.turn(view(Phase.SEALED, seats=bets), [], 60 * SECOND)

    (hand,) = wanted.ask.hands
    assert hand.seat == 2 and croupier.dealt.hands.keys() == {1, 2} and croupier.dealt.number == 7
    assert hand.claimed == "full" or hand.cards == croupier.dealt.hands[2]


# ---------------------------------------------------------------------------------------------------- who is there


def croupier_of(table="DP-01"):
    chance = Random(3)
    players = Players([1, 2, 3], chance, Habits(bets=1.0, too_late=0.0, leaves=1.0))
    made = Croupier(table, 5, players, chance, alone_up_to=250_000)
    made.pace = Tempo(20)
    return made


def test_where_a_person_sits_nobody_else_presses_and_nobody_cashes_out_for_him():
    croupier = croupier_of()
    croupier.guests = frozenset({2})
    shown, people = view(Phase.OPEN), [seen(1), seen(2), seen(3)]

    acts = [act for now in range(0, 3 * SECOND, 50_000) for act in croupier.turn(shown, people, now)[0]]
    rich = view(seats=[seat(2, credits_=9)])
    errands = [croupier.turn(rich, people, now)[1] for now in range(4 * SECOND, 6 * SECOND, 50_000)]

    assert {act.split()[1] for act in acts if act.startswith("seat")} == {"1", "3"}
    assert not any(type(one.ask).__name__ == "CashOut" for one in errands if one)


def test_a_person_at_the_croupiers_place_has_the_table_at_once_with_its_players_and_its_dealer():
    croupier = croupier_of()
    croupier.winning = 1.0
    people = [seen(1), seen(2), seen(3)]
    croupier.is_relieved_by_a_person()

    acts, asked = [], []
    for now in range(0, 9 * SECOND, 50_000):
        done, wanted = croupier.turn(view(Phase.OPEN), people, now)
        acts, asked = acts + done, [*asked, wanted]
    sealed = croupier.turn(view(Phase.SEALED, seats=[seat(1, bet=1000)]), people, 9 * SECOND)

    assert {act.split()[1] for act in acts} == {"1", "2", "3"} and not any(asked)
    assert sealed == ([], None) and croupier.dealt.hands.keys() == {1}


@pytest.fixture(scope="module")
def casino(tmp_path_factory):
    """The node's settings with the demo's desks, which hang on nothing."""
    ports = {
        f"{table}_{line}": f"/dev/{table}-{line}"
        for table in ALONE.tables
        for line in ("mesa", "letrero", "ranuras", "ranuras_b", "consola")
    }
    file = write_settings(
        tmp_path_factory.mktemp("demo"),
        ALONE.settings,
        {**ports, "TX_01_mesa": "socket://127.0.0.1:5020", "terminals": ""},
    )
    node = read_node(file)
    desks = {
        table: Desk(read_desk((shelf() / "demo" / "desks" / f"{table}.toml").read_text(), table), Random(1), 0)
        for table in ALONE.tables
    }
    return node, desks


@pytest.fixture
def door(casino):
    node, desks = casino
    croupiers = {table: croupier_of(table) for table in desks}
    return FeltDoor(node, croupiers, desks), croupiers


def test_who_says_no_more_that_he_is_there_is_gone(door):
    felt, croupiers = door
    assert felt.obey("sienta TX-01 3", None, 0) == felt.obey("releva dp-01", None, 0) == "ok"

    felt.turn(SECOND)
    assert croupiers["TX-01"].guests == {3} and croupiers["DP-01"].is_relieved
    assert felt.is_played_by_hand("TX-01") and felt.is_played_by_hand("DP-01") and not felt.is_played_by_hand("CP-01")
    felt.turn(SEAT_KEPT)
    assert not croupiers["TX-01"].guests and croupiers["DP-01"].is_relieved
    felt.turn(PLACE_KEPT)
    assert not croupiers["DP-01"].away and not felt.is_played_by_hand("DP-01")


def test_who_gets_up_is_gone_at_once(door):
    felt, croupiers = door
    felt.obey("sienta CP-01 7", None, 0)
    felt.obey("levanta CP-01 7", None, 1)
    felt.turn(2)

    assert not croupiers["CP-01"].guests


@pytest.mark.parametrize(
    "words", ["sienta TX-01 7", "sienta XX-01 1", "sienta TX-01 uno", "mira XX-01", "releva", "mira TX-01 3", "ritmo 5"]
)
def test_what_is_not_the_felts_is_left_to_others(door, words):
    assert door[0].obey(words, None, 0) is None


def test_a_table_is_shown_as_its_devices_stand_also_while_the_node_is_not_heard(door, casino):
    felt, _ = door
    desk = casino[1]["TX-01"]
    desk.perform(_act("seat 2 lamp open"), 0)
    told = msgspec.json.decode(felt.obey("mira TX-01", None, 0))

    assert (told["phase"], told["main"], told["prizes"], told["modality"]) == ("", 0, [], "texas_plus")
    assert [one["seat"] for one in told["seats"] if one.get("broken")] == [2]
    assert told["lines"][0] == {"name": "mesa", "kind": "tcp", "plugged": True}
    slots = msgspec.json.decode(felt.obey("mira CP-01", None, 0))["seats"]
    assert [one["gate"] for one in slots] == [False] * 7 and {one["line"] for one in slots} == {"ranuras", "ranuras-b"}


def _act(words):
    from firmware_sim.desk.commands import read_command

    return read_command(words)


# ---------------------------------------------------------------------------------------------------- and nowhere else


def test_each_place_of_work_has_a_name_of_its_own():
    places = list(work_places(["DP-01", "TX-01"], ["sala", "dp-01"]))

    hosts = [one.host for one in places]
    assert len(set(hosts)) == len(hosts) == 5 and all(host.endswith(".localhost") for host in hosts)


def test_an_installed_web_process_knows_nothing_of_the_demonstration():
    """Whoever installs `pozo web` has no file of the felt loaded, whatever is asked of it."""
    for path in (ROOT / "controller").glob("web/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.startswith(("controller.play", "firmware_sim")) for name in names), path
