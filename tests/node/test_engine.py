"""The engine: what goes before what, what is committed together, and what nobody hears before the commit."""

from itertools import islice

import pytest

from controller.core import inputs as ask
from controller.core.values import Device
from controller.node.engine.due import LOOK_AGAIN
from controller.node.engine.engine import WAIT_FOR_LOCKS
from controller.node.publish.show import BEAT, VIEW_EVERY
from controller.node.telemetry.journal import Halted
from controller.node.vocabulary.commands import Acknowledge, UnlockUnit, Wish
from controller.node.vocabulary.inbox import Reload, Stop
from controller.node.vocabulary.places import UnitKey
from controller.node.vocabulary.protocol import Deed
from drivers.model import BetSeen, DeviceKey, LampProof, SeatSeen, Totals
from drivers.pump import PortClosed, PortOpened
from support.core import book_cases
from support.core.book_cases import CARLA, JEFA, JEFE, SEED, START
from support.node.engine_days import STAR, close_day, keep_seed
from support.node.node_stand import Note, Stand

UNIT = UnitKey("bus", 1)
ACKNOWLEDGE = Wish(UNIT, Acknowledge(DeviceKey(77, 1), 2))
REPORT = ask.SeatReport("M1", 1, Device(77, 1, 1))
SEEN = SeatSeen(
    unit=1, seat=1, device=DeviceKey(77, 1), seq=1, totals=Totals(), locked=True, cut=0, bet=BetSeen.NONE,
    bet_credits=0, bet_seq=0, lamp=LampProof.DARK, enabled=True,
)  # fmt: skip


@pytest.fixture
def stand(tmp_path):
    stand = Stand(tmp_path / "node")
    stand.turn()
    stand.log.clear()
    yield stand
    stand.close()


def test_what_a_device_said_is_committed_before_anything_is_wished_of_it(stand):
    stand.line(SEEN)
    stand.floor.rounds, stand.floor.to_wish = [[REPORT]], [ACKNOWLEDGE]

    stand.turn()

    assert stand.happened[:3] == ["heard", "commit", "wishes"]


def test_the_floor_is_told_at_each_turn_that_somebody_looks(stand):
    """Time in which nobody did counts for nothing there (floor/test_left_alone.py)."""
    for _ in range(3):
        stand.turn()
        assert stand.floor.attended[-1] == stand.micros
        stand.micros += 7_000_000

    assert len(set(stand.floor.attended)) == 3


def test_persons_and_devices_of_one_moment_share_one_commit(stand):
    stand.line(SEEN)
    stand.floor.rounds = [[REPORT]]
    stand.asks(ask.OpenPass("M1", CARLA))
    stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))

    stand.turn()

    commits = [kinds for what, *rest in stand.log if what == "commit" for kinds in rest]
    assert commits == [["device_adopted", "pass_opened", "credits_bought"]]
    assert stand.happened.index("commit") < stand.happened.index("reply")


def test_the_view_comes_after_wishes_and_replies(stand):
    stand.line(SEEN)
    stand.floor.rounds, stand.floor.to_wish = [[REPORT]], [ACKNOWLEDGE]
    stand.asks(ask.OpenPass("M1", CARLA))

    stand.turn(VIEW_EVERY)

    assert stand.happened[-2:] == ["signs", "view"]
    assert stand.happened.index("wishes") < stand.happened.index("reply") < stand.happened.index("view")


def test_rounds_go_on_until_the_floor_has_nothing_more_to_say(stand):
    second = ask.SeatReport("M1", 2, Device(78, 1, 1))
    stand.floor.rounds = [[REPORT], [second], []]

    stand.turn()

    assert stand.kinds()[-2:] == ["device_adopted", "device_adopted"]


def test_a_floor_that_never_rests_halts_the_engine(stand):
    class Restless(list):
        def pop(self, _):
            return [REPORT]

    stand.floor.rounds = Restless([1])

    with pytest.raises(AssertionError, match="never comes to rest"):
        stand.turn()


def test_machine_inputs_go_on_under_their_own_numbers_after_a_restart(tmp_path):
    stand = Stand(tmp_path / "node")
    stand.floor.rounds = [[REPORT]]
    stand.turn()
    last = stand.book.store.last_of("nodo1/floor", 1)
    stand.close()

    assert last == 1


# Memories, ports, what is shown


def test_a_units_memory_is_kept_before_the_commit_of_what_it_said(stand):
    stand.line(SEEN, base="its base")
    stand.floor.rounds = [[REPORT]]

    stand.turn()

    assert stand.happened[:3] == ["memory", "heard", "commit"]
    assert stand.log[0] == ("memory", UNIT, "its base")


def test_a_busy_engine_shows_at_most_one_view_in_its_time_and_the_last_state_always(stand):
    for _ in range(10):
        stand.asks(ask.BuyCredits("M1", 1, 2, CARLA))
        stand.turn(VIEW_EVERY // 10)
    stand.turn(VIEW_EVERY)

    views = [seq for what, *rest in stand.log if what == "view" for seq in rest]
    assert len(views) <= 2 and views[-1] == stand.book.seq


def test_a_still_node_gives_a_sign_of_life(stand):
    stand.turn(BEAT - 1)
    assert "view" not in stand.happened
    stand.turn(1)
    assert "view" in stand.happened


def test_committed_facts_are_told_as_the_record_has_them_each_once(stand):
    first = stand.book.seq + 1
    for _ in range(3):
        stand.asks(ask.BuyCredits("M1", 1, 2, CARLA))
        stand.turn(VIEW_EVERY)

    assert stand.control.entries == [row.body for row in stand.book.store.facts(first)]


def test_a_lost_line_is_an_alarm_until_it_is_back(stand):
    stand.line(PortClosed("/dev/x", "gone"))
    stand.turn(VIEW_EVERY)
    assert [alarm.where for alarm in stand.control.views[-1].alarms] == ["bus"]

    stand.line(PortOpened("/dev/x", ()))
    stand.turn(VIEW_EVERY)
    assert not stand.control.views[-1].alarms


def test_the_journal_names_facts_refusals_and_notes(stand):
    stand.journal.calls.clear()
    stand.floor.notes = [Note("unit_up", {"unit": 1})]
    stand.asks(ask.OpenPass("M1", CARLA))
    stand.asks(ask.OpenPass("M9", CARLA))
    stand.turn(VIEW_EVERY)

    told = {call.args[0]: call for call in stand.journal.calls}
    assert told["fact"].kwargs["kind"] == "pass_opened" and told["fact"].kwargs["by"] == "carla"
    assert told["refused"].kwargs["reason"] == "table_unknown" and told["refused"].method_name == "warning"
    assert told["unit_up"].kwargs == {"unit": 1}


# Draws and the clock


def test_a_sealed_pass_is_drawn_by_the_seed_of_the_day(tmp_path, monkeypatch):
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", STAR + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    close_day(stand)
    stand.reply(do=Deed.OPEN_DAY, day="2026-11-02", signed=[JEFE])
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.now = max(stand.client.now, stand.book.state.clock)
        stand.client.say(*group)
    assert stand.book.state.tables["M1"].draws == ("Estrella",)

    stand.turn()

    assert not stand.book.state.tables["M1"].draws and "drawn" in stand.kinds()
    stand.close()


def test_a_seed_that_is_lost_is_said_once_and_draws_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", STAR + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.say(*group)

    stand.turn()
    stand.turn()

    assert stand.lost == ["2026-11-01"] and stand.book.state.tables["M1"].draws
    keep_seed(stand)
    stand.turn()
    assert stand.book.state.tables["M1"].draws, "looked for now and then, not all the time"
    stand.turn(LOOK_AGAIN)
    stand.turn()
    assert stand.lost == ["2026-11-01", ""] and not stand.book.state.tables["M1"].draws
    stand.close()


def test_r30_a_day_whose_seed_two_persons_gave_up_draws_nothing_and_closes(tmp_path, monkeypatch):
    """It is refused while the node still has the seed, in whichever place."""
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", STAR + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.say(*group)
    stand.turn()
    assert stand.lost == ["2026-11-01"] and stand.reply(do=Deed.CLOSE_DAY, signed=[JEFE]).trouble is not None
    keep_seed(stand)
    there = stand.reply(do=Deed.LOSE_SEED, reason="no está", signed=[JEFE, JEFA])
    assert there.trouble.reason == "seed_is_there" and SEED.hex().encode() not in b"".join(map(bytes, there.facts))
    (stand.folder / "seeds" / "2026-11-01.1.seed").unlink()
    alone = stand.reply(do=Deed.LOSE_SEED, reason="se rompió el disco", signed=[JEFE])
    assert alone.trouble.reason == "signature_missing"

    asked = stand.asks(do=Deed.LOSE_SEED, reason="se rompió el disco", signed=[JEFE, JEFA])
    stand.turn()
    again = stand.asks(do=Deed.LOSE_SEED, reason="se rompió el disco", signed=[JEFE, JEFA], id_=asked)
    stand.turn()

    assert stand.lost[-1] == "", "nobody waits for it any more"
    assert [reply.ok for reply in stand.replies[-2:]] == [True, True] and again == asked
    assert not stand.book.state.tables["M1"].draws
    stand.client.say(ask.ClosePass("M1"), ask.CashOut("M1", 1, CARLA))
    assert stand.reply(do=Deed.CLOSE_DAY, signed=[JEFE]).ok
    assert stand.book.state.day is None
    stand.close()


def test_r30_the_seed_of_a_renamed_day_is_found_under_its_first_name(tmp_path, monkeypatch):
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", STAR + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    keep_seed(stand)
    stand.client.say(ask.RenameDay("2026-11-02", "era mañana", JEFE, JEFA))
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.say(*group)

    stand.turn()

    assert stand.lost == [] and not stand.book.state.tables["M1"].draws
    stand.client.say(ask.ClosePass("M1"), ask.CashOut("M1", 1, CARLA))
    assert stand.reply(do=Deed.CLOSE_DAY, signed=[JEFE]).ok
    assert stand.book.state.last_day == "2026-11-02"
    stand.close()


# Ends


def test_stop_locks_everything_commits_what_is_here_and_shows_it(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.line(SEEN)
    stand.floor.rounds = [[REPORT]]

    stand.engine.run()

    assert stand.kinds()[-1] == "device_adopted"
    assert "lock everything" in stand.happened
    assert stand.control.views[-1].stopping


def test_whoever_asks_while_it_stops_is_told_so_and_nothing_is_done(stand):
    lock = stand.hands.lock_everything
    stand.floor.locked = False

    def locking():
        lock()
        stand.asks(do=Deed.UNLOCK, table="M1", signed=[CARLA])
        stand.asks(do=Deed.STATE)
        stand.floor.locked = True

    stand.hands.lock_everything = locking
    stand.inbox.put(Stop("SIGTERM"))
    stand.asks(ask.OpenPass("M1", CARLA))
    stand.engine.run()

    early, unlock, state = stand.replies
    assert early.trouble.reason == unlock.trouble.reason == "stopping" and state.ok
    assert stand.book.state.tables["M1"].phase == "between"


def test_a_stopping_engine_unlocks_nothing(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.floor.locked = False
    unlock = Wish(UNIT, UnlockUnit(1))
    wishes = stand.floor.wishes
    stand.floor.wishes = lambda state, now: [*wishes(state, now), *([unlock] if stand.show.stopping else [])]
    now, ticks = stand.clock.now, iter(range(0, 10**9, 50_000))
    stand.engine._clock = stand.clock._replace(now=lambda: now() + next(ticks))
    stand.inbox._now = lambda: 10**9  # no wait is left

    stand.engine.run()

    assert not [
        wish for what, *rest in stand.log if what == "wishes" for wish in rest[0] if type(wish.command) is UnlockUnit
    ]


def test_a_stop_waits_for_the_locks_but_not_for_ever(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.floor.locked = False
    ticks = iter(range(0, 10**9, WAIT_FOR_LOCKS // 10))
    stand.engine._clock = stand.clock._replace(now=lambda: stand.micros + next(ticks))
    stand.inbox._now = lambda: 10**9  # no wait is left

    stand.engine.run()

    assert stand.control.views[-1].stopping


def test_reload_is_done_in_the_engines_thread(stand):
    stand.inbox.put(Reload())
    stand.turn()

    assert len(stand.reloads) == 1


def test_an_inbox_that_lost_something_halts_the_engine(stand):
    stand.inbox.overflowed = True

    with pytest.raises(Halted):
        stand.turn()


def test_a_broken_assertion_costs_the_others_of_its_group_nothing(stand, monkeypatch):
    take = stand.book.take

    def fragile(asks):
        assert not any(isinstance(one.input, ask.Lock) for one in asks), "a defect"
        return take(asks)

    monkeypatch.setattr(stand.book, "take", fragile)
    stand.asks(ask.OpenPass("M1", CARLA))
    stand.asks(ask.Lock("M1", CARLA))
    stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))

    with pytest.raises(AssertionError, match="a defect"):
        stand.turn()

    assert stand.kinds()[-2:] == ["pass_opened", "credits_bought"]
    assert not stand.replies, "nobody hears of a life that ends"


def test_the_wall_clock_dates_facts_and_a_step_back_is_on_record(stand):
    stand.millis = START - 3_600_000
    stand.reply(ask.OpenPass("M1", CARLA))

    assert "clock_went_back" in stand.kinds()


def test_whoever_asks_for_the_state_gets_the_newest(stand):
    stand.reply(ask.OpenPass("M1", CARLA))

    reply = stand.reply(do=Deed.STATE)

    assert reply.ok and reply.state.seq == stand.book.seq
    assert [table.phase for table in reply.state.tables] == ["open", "between"]
