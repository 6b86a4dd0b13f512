"""What browsers are told of a node: whatever became of it, and whatever they missed, they have its last view in the end."""

import json
from itertools import count

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core.values import Phase
from controller.core.view import Alarm, AwardView, Light, SeatView, SignView, TableView
from controller.node.vocabulary import protocol
from controller.node.vocabulary.protocol import FarPotNow, Feed, NodeView
from controller.web.live import changes, entities, feed, picture
from controller.web.live.scopes import Cutter
from controller.web.live.shown import ShownSigns
from controller.web.live.slot import NewestSlot
from drivers.session import SECOND
from support.web.looking import LAYOUTS, PERSON, SCOPES, LookingBrowser, views


class Watched:
    """A feed on a clock of ours, and browsers that look at it."""

    def __init__(self, tmp_path="."):
        self.now, self.seq, self.at = 0, 0, 1_000_000
        self.feed = feed.LiveFeed(tmp_path, LAYOUTS, lambda _: None, lambda: self.now)
        self.browsers = {}
        self.view = None

    def show(self, view, later=0, back=0):
        self.now += later
        self.seq, self.at = max(1, self.seq + 1 - back), self.at + 40
        self.view = replace(view, seq=self.seq, at=self.at)
        self.feed.heard(self.view)

    def join(self, scopes):
        browser = LookingBrowser(lambda scope: json.loads(self.feed.whole(scope).json))
        slot = NewestSlot(scopes, lambda: None)
        self.feed.join(slot)
        self.browsers[slot] = browser

    def take(self, slot, *, misses=False):
        text = b"".join(one.plain for one in slot.take(self.feed.whole))
        if not misses:
            self.browsers[slot].hear(text)

    def all_take(self):
        for slot in self.browsers:
            self.take(slot)


def expected(view, scope):
    cutter = Cutter(LAYOUTS, ShownSigns())
    cutter.look(view)
    found = json.loads(msgspec.json.encode(cutter.cut(scope)))
    return {key: without_age(one) for key, one in found.items()}


def without_age(entity):
    entity.pop("told", None)
    return entity


def shown(known):
    return {key: without_age(dict(one)) for key, one in known.items()}


STEPS = st.one_of(
    st.tuples(st.just("show"), views(), st.integers(0, 4), st.sampled_from((0, 0, 0, 3))),
    st.tuples(st.just("join"), st.lists(st.sampled_from(SCOPES), min_size=1, max_size=3)),
    st.tuples(st.just("leave"), st.integers(0, 5)),
    st.tuples(st.just("take"), st.integers(0, 5)),
    st.tuples(st.just("miss"), st.integers(0, 5)),
    st.tuples(st.just("wait"), st.integers(1, 20)),
)


@settings(deadline=None)
@given(st.lists(STEPS, max_size=25), views(), views())
def test_whatever_happens_and_whatever_is_missed_everybody_ends_with_the_last_view(steps, one, last):
    world = Watched()
    world.join(["floor"])
    for step, *told in steps:
        if step == "show":
            world.show(told[0], told[1] * SECOND, told[2])
        elif step == "join":
            world.join(told[0])
        elif step == "wait":
            world.now += told[0] * SECOND // 10
            world.feed.tell_what_is_due()
        elif told[0] < len(world.browsers):
            slot = list(world.browsers)[told[0]]
            if step == "leave":
                world.feed.leave(slot)
                del world.browsers[slot]
            else:
                world.take(slot, misses=step == "miss")
    world.show(one)
    world.all_take()
    world.show(replace(last, day="the last"))
    world.now += 3 * SECOND
    world.feed.tell_what_is_due()
    world.all_take()

    for slot, browser in world.browsers.items():
        for scope in slot.scopes:
            assert shown(browser.known[scope]) == expected(world.view, scope)


@given(views(), st.sampled_from(SCOPES))
def test_nothing_is_told_of_a_view_that_is_like_the_last(view, scope):
    world = Watched()
    world.show(view)
    world.join([scope])
    world.all_take()
    for _ in range(3):
        world.show(view, SECOND)
        [slot] = world.browsers
        assert slot.take(world.feed.whole) == []


@given(views())
def test_a_sign_is_told_nothing_about_persons_and_a_table_nothing_of_another(view):
    cutter = Cutter(LAYOUTS, ShownSigns())
    cutter.look(replace(view, seq=1, at=1_000_000))

    for name in ("sala", "bar"):
        told = msgspec.json.encode(cutter.cut(f"sign:{name}")).decode()
        assert PERSON not in told and "house" not in told
    table = cutter.cut("table:T1")
    assert not [key for key in table if "T2" in key.partition("/")[2].split("/")[:1]]
    assert {key.partition("/")[0] for key in table} <= {
        "node", "table", "seat", "pot", "award", "claim", "alarm", "inquiry",
    }  # fmt: skip


def test_a_gap_or_a_word_of_before_is_seen_by_its_number():
    """The browser of these tests would see a gap: it is not that nothing is ever missed."""
    asked = []
    browser = LookingBrowser(lambda scope: asked.append(scope) or {"scope": scope, "epoch": "b", "n": 7, "set": {}})
    event = lambda n, epoch="a": b'event: change\ndata: {"scope":"floor","epoch":"%b","n":%d,"set":{"k":%d},"gone":[]}\n\n' % (epoch.encode(), n, n)  # fmt: skip
    browser.hear(b'event: whole\ndata: {"scope":"floor","epoch":"a","n":1,"set":{}}\n\n' + event(2) + event(2))
    assert (browser.known["floor"], asked) == ({"k": 2}, [])
    browser.hear(event(4))
    assert asked == ["floor"]
    browser.hear(event(8, "b") + event(9, "c"))
    assert asked == ["floor", "floor"]


@pytest.fixture
def world():
    return Watched()


def evening():
    """Two tables, one of them with a winner, and two pots."""
    seat = SeatView(1, Light.OFF, False, True, 0, 0, 0, 0, 0, "")
    tables = tuple(TableView(name, Phase.OPEN, 1, (seat,), (), {}, training=False) for name in ("T1", "T2"))
    award = AwardView("T1/1/1/1", "T1", 1, "full", 5, False, overdue=False)
    pots = tuple(
        SignView(name, name, "$", 0, 100, 0, 1, 5, {}, awards, training=False)
        for name, awards in (("estelar", ()), ("norte", (award,)))
    )
    feeds = (Feed("T1", "norte", "draw", 500), Feed("T2", "estelar", "draw", 500))
    return NodeView(2, "central", 1, 1, "d", tables, pots, (), (), (), (), (), feeds=feeds)


def pot_of(view, name, main):
    return replace(view, pots=tuple(replace(one, main=main) if one.pot == name else one for one in view.pots))


def test_a_pot_that_rises_all_the_time_is_told_so_often_and_a_fall_at_once(world):
    base = evening()
    world.show(pot_of(base, "norte", 100))
    world.join(["sign:bar"])
    world.all_take()
    [(slot, browser)] = world.browsers.items()
    told = 0
    for amount in range(101, 101 + 25 * 60):
        world.show(pot_of(base, "norte", amount), SECOND // 25)
        told += bool(slot._waiting)
        world.take(slot)
        assert browser.known["sign:bar"]["pot/norte"]["main"] <= amount
    assert 60 <= told <= 72
    assert amount - browser.known["sign:bar"]["pot/norte"]["main"] <= 2 * 25

    world.show(pot_of(base, "norte", 50))
    world.take(slot)
    assert browser.known["sign:bar"]["pot/norte"]["main"] == 50


def test_a_first_rise_is_told_at_once_and_the_last_one_of_many_within_two_seconds(world):
    base = evening()
    world.show(pot_of(base, "norte", 10))
    world.join(["table:T1", "sign:sala"])
    world.all_take()
    [slot] = world.browsers
    for amount in count(11):
        world.show(pot_of(base, "norte", amount))
        if not slot._waiting:
            break
        world.take(slot)
    world.now += 2 * SECOND
    world.feed.tell_what_is_due()
    world.take(slot)

    for scope, known in world.browsers[slot].known.items():
        assert known["pot/norte"]["main"] == amount, scope


def test_on_the_floor_a_seat_waits_a_moment_when_there_are_many_and_an_alarm_never(world):
    base = evening()

    def pressed(times):
        seat = replace(base.tables[0].seats[0], bet=times)
        return replace(base, tables=(replace(base.tables[0], seats=(seat,)), base.tables[1]))

    world.show(base)
    world.join(["floor"])
    world.join(["table:T1"])
    world.all_take()
    floor, table = world.browsers
    told = [0, 0]
    for times in range(20):
        world.show(pressed(times % 2 + 1), SECOND // 25)
        told = [told[0] + bool(floor._waiting), told[1] + bool(table._waiting)]
        world.all_take()
    assert told[0] <= 4 and told[1] == 20

    world.show(replace(pressed(9), alarms=(Alarm("T2", "R-6", "mire"),)), SECOND // 25)
    world.take(floor)
    known = world.browsers[floor].known["floor"]
    assert [one["sentence"] for key, one in known.items() if key.startswith("alarm/")] == ["mire"]
    assert known["seat/T1/1"]["bet"] != 9, "that waits for its turn"


def test_how_old_a_far_owners_word_is_is_told_in_steps(world):
    """Its age is another one in each view; the instant since when is not."""
    world.show(replace(evening(), far_pots=(FarPotNow("norte", "n", True, 0),)))
    world.join(["sign:bar"])
    world.all_take()
    [(slot, browser)] = world.browsers.items()
    first = browser.known["sign:bar"]["pot/norte"]["told"]
    assert first == world.at
    for age in range(40, 4_000, 40):
        world.show(replace(evening(), far_pots=(FarPotNow("norte", "n", True, age),)), SECOND)
        assert not slot._waiting, age
    world.at += 10_000
    world.show(replace(evening(), far_pots=(FarPotNow("norte", "n", True, 0),)), 2 * SECOND)
    world.take(slot)
    assert browser.known["sign:bar"]["pot/norte"]["told"] == world.at


def test_a_node_that_went_back_or_was_away_or_is_another_begins_anew(world):
    world.show(evening())
    world.join(["floor"])
    world.all_take()
    [(slot, browser)] = world.browsers.items()
    for anew in (
        lambda: world.show(evening(), back=2),
        lambda: world.show(evening(), 4 * SECOND),
        lambda: world.show(replace(evening(), node="otro"), SECOND),
    ):
        before = browser.wholes
        world.show(evening(), SECOND)
        world.take(slot)
        assert browser.wholes == before
        anew()
        world.take(slot)
        assert browser.wholes == before + 1
        world.show(evening(), SECOND)
        world.take(slot)


def test_a_heartbeat_says_whether_the_node_is_heard(world):
    world.join(["floor"])
    [(slot, browser)] = world.browsers.items()
    world.take(slot)
    world.show(evening())
    world.take(slot)
    world.now += 3 * SECOND
    slot.beat(world.feed._beat())
    world.take(slot)

    assert [one["node"] for one in browser.beats] == [False, True, False]
    assert [one["at"] for one in browser.beats] == [0, world.at, world.at]


def test_who_does_not_take_has_one_message_waiting_and_it_is_a_whole(world):
    world.show(evening())
    world.join(["floor", "table:T1"])
    world.all_take()
    [(slot, browser)] = world.browsers.items()
    for n in range(1_000):
        world.show(replace(evening(), day=f"{n}"))
    assert len(slot._waiting) == 2 and not any(slot._waiting.values())
    world.take(slot)
    assert browser.wholes == 4 and browser.known["floor"]["node"]["day"] == "999"


def test_what_all_look_at_is_encoded_once(world, monkeypatch):
    made = []
    monkeypatch.setattr(picture, "change", lambda *told: made.append(told) or changes.change(*told))
    world.show(evening())
    for _ in range(250):
        world.join(["floor"])
    world.all_take()
    world.show(replace(evening(), day="other"))

    assert len(made) == 1
    assert len({id(slot._waiting["floor"]) for slot in world.browsers}) == 1


def fields(*structs):
    return {name for one in structs for name in one.__struct_fields__}


def test_an_entity_has_every_field_of_what_it_is_made_of():
    """A field that the node tells one day is not lost here without a word."""
    assert fields(entities.TableEntity) == fields(TableView, Feed) - {"seats"}
    unit = fields(protocol.SeatNow) - {"table", "locked", "bet", "credits"}
    assert fields(entities.SeatEntity) == fields(SeatView) | unit | {"unit_locked", "unit_bet", "unit_credits"}
    pot = fields(SignView, protocol.PotFunds, FarPotNow) - {"awards", "elsewhere", "age"} | {"told"}
    assert fields(entities.PotEntity) == pot
    assert fields(entities.AwardEntity) == fields(AwardView) | {"pot", "order"}
    held = {"tables", "pots", "claims", "alarms", "units", "seats", "signs", "feeds", "funds", "inquiries"}
    held |= {"neighbours", "far_pots", "disputes", "plans"}
    assert fields(entities.NodeEntity) == fields(NodeView) - held - {"v", "seq", "at"}


def test_an_alarm_is_that_tables_whose_name_it_has_or_one_of_its_seats():
    where = ("T1", "T1/2", "T11", "T11/2", "reloj", "")
    cutter = Cutter(LAYOUTS, ShownSigns())
    cutter.look(replace(evening(), alarms=tuple(Alarm(one, "R-6", "mire") for one in where)))
    told = lambda scope: [one.where for one in cutter.cut(scope).values() if isinstance(one, Alarm)]

    assert told("table:T1") == ["T1", "T1/2"]
    assert told("floor") == list(where)
    assert told("sign:sala") == []


def test_a_prize_owed_beyond_this_node_is_seen_beside_ours_also_where_tables_have_one_name():
    view = evening()
    [award] = view.pots[1].awards
    cutter = Cutter(LAYOUTS, ShownSigns())
    far = replace(award, casino="valle", amount=7)
    cutter.look(replace(view, pots=(view.pots[0], replace(view.pots[1], elsewhere=(far,)))))

    for scope in ("floor", "sign:bar"):
        awards = {key: one.amount for key, one in cutter.cut(scope).items() if key.startswith("award/")}
        assert awards == {"award/T1/1/1/1": 5, "award/valle/T1/1/1/1": 7}, scope
    assert "award/valle/T1/1/1/1" not in cutter.cut("table:T1")
