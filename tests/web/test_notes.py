"""Which console enters the hands of which pass: seen by the others of its table at once, forgotten when it says no more."""

import json
from dataclasses import dataclass, field

from msgspec.structs import replace

from controller.core.values import Phase
from controller.core.view import SignView, TableView
from controller.node.vocabulary.protocol import Feed, NodeView
from controller.web.live.feed import LiveFeed
from controller.web.live.notes import LASTS, MOST_AT_A_TABLE, Entering, NoteEntity, Notes
from controller.web.live.scopes import Cutter
from controller.web.live.shown import ShownSigns
from controller.web.live.slot import NewestSlot
from drivers.session import SECOND
from support.web.looking import LookingBrowser

TABLE = TableView("M1", Phase.SEALED, 9, (), (), {}, training=False)
POT = SignView("p", "Pozo", "$", 0, 5_000_000, 0, 1, 5, {}, (), training=False)
VIEW = NodeView(2, "n", 1, 1_000_000, "d", (TABLE,), (POT,), (), (), (), (), (), feeds=(Feed("M1", "p", "draw"),))


@dataclass
class Looked:
    now: int = 0
    views: int = 0
    feed: LiveFeed = field(init=False)

    def __post_init__(self):
        self.feed = LiveFeed(".", {}, lambda _: None, lambda: self.now)
        self.feed.heard(VIEW)
        self.slot = NewestSlot(["table:M1"], lambda: None)
        self.browser = LookingBrowser(lambda scope: json.loads(self.feed.whole(scope).json))
        self.feed.join(self.slot)

    def hears(self, terminal, number, table="M1"):
        """What a console says, and the node's next view, which comes within a second."""
        self.feed.notes.say(table, terminal, number, self.now)
        self.views += 1
        self.feed.heard(replace(VIEW, seq=1 + self.views, at=VIEW.at + self.views))

    def sees(self):
        self.browser.hear(b"".join(one.plain for one in self.slot.take(self.feed.whole)))
        note = self.browser.known["table:M1"].get("note/M1", {"entering": []})
        return {one["terminal"]: one["number"] for one in note["entering"]}


def test_a_console_that_enters_a_pass_is_seen_and_until_it_stops():
    looked = Looked()
    assert looked.sees() == {}
    looked.hears("mesa-2", 9)
    assert looked.sees() == {"mesa-2": 9}
    looked.hears("mesa-1", 8)
    assert looked.sees() == {"mesa-1": 8, "mesa-2": 9}
    looked.hears("mesa-2", 0)
    assert looked.sees() == {"mesa-1": 8}
    assert looked.browser.wholes == 1, "the rest came as changes"


def test_who_says_nothing_for_ten_seconds_enters_nothing_any_more():
    looked = Looked()
    looked.hears("mesa-2", 9)
    for second in range(1, 10):
        looked.now = second * SECOND
        looked.feed.heard(replace(VIEW, seq=10 + second, at=VIEW.at + second * 1000))
        assert looked.sees() == {"mesa-2": 9}, second
    looked.now = LASTS
    looked.feed.heard(replace(VIEW, seq=30, at=VIEW.at + 10_000))
    assert looked.sees() == {}


def test_other_tables_and_other_scopes_hear_nothing_of_it():
    looked = Looked()
    looked.hears("mesa-2", 9, "M2")
    assert looked.sees() == {}
    looked.hears("mesa-2", 9)
    assert "note/M1" not in json.loads(looked.feed.whole("floor").json)["set"]


def test_a_table_keeps_so_many_consoles_and_the_last_word_of_each():
    notes = Notes()
    for number in range(1, MOST_AT_A_TABLE + 3):
        notes.say("M1", f"t{number}", number, number)
    notes.say("M1", "t5", 77, 100)
    told = notes.of("M1", 100)

    assert told == NoteEntity("M1", told.entering) and len(told.entering) == MOST_AT_A_TABLE
    assert Entering("t5", 77) in told.entering and "t1" not in {one.terminal for one in told.entering}
    assert Notes().of("M1", 0) is None


def test_r36_a_table_in_training_sees_its_copy_of_the_pot_and_the_public_sees_the_pot():
    """Both have the pot's own name; who takes one for the other shows money that is none."""
    copy = replace(POT, main=7_000_000, training=True)
    for pots in ((POT, copy), (copy, POT)):
        cutter = Cutter({}, ShownSigns())
        cutter.look(replace(VIEW, pots=pots, feeds=(Feed("M1", "~p", "draw"),)))
        table, floor = cutter.cut("table:M1"), cutter.cut("floor")
        assert {key: (pot.main, pot.training) for key, pot in table.items() if key.startswith("pot/")} == {
            "pot/~p": (7_000_000, True)
        }
        assert (floor["pot/p"].main, floor["pot/p"].training) == (5_000_000, False)
