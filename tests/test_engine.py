"""The engine: what goes before what, what is committed together, and what nobody hears before the commit."""

from itertools import islice

import pytest
from book_cases import ANA, CARLA, JEFA, JEFE, LUIS, START
from msgspec import json
from node_stand import Note, Stand, wrong

from controller.core import inputs as ask
from controller.core.words import Device, Signature
from controller.node.engine import WAIT_FOR_LOCKS, Halted
from controller.node.inbox import Reload, Stop
from controller.node.places import UnitKey
from controller.node.protocol import Deed
from controller.node.show import BEAT, VIEW_EVERY
from controller.node.wishes import Verb, Wish
from drivers.model import BetSeen, DeviceKey, LampSeen, SeatSeen, Totals
from drivers.pump import PortClosed, PortOpened

UNIT = UnitKey("bus", 1)
ACKNOWLEDGE = Wish(UNIT, Verb.ACKNOWLEDGE, (DeviceKey(77, 1), 2))
REPORT = ask.SeatReport("M1", 1, Device(77, 1, 1))
SEEN = SeatSeen(
    unit=1, seat=1, device=DeviceKey(77, 1), seq=1, totals=Totals(), locked=True, cut=0, bet=BetSeen.NONE,
    bet_credits=0, bet_seq=0, lamp=LampSeen.DARK, enabled=True,
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


def test_a_persons_answer_says_what_the_record_says(stand):
    reply = stand.reply(ask.OpenPass("M1", CARLA))

    assert reply.ok and reply.seq == stand.book.seq
    assert [json.decode(bytes(fact))["kind"] for fact in reply.facts] == ["pass_opened"]


def test_a_refusal_is_told_with_rule_place_and_sentence(stand):
    reply = stand.reply(ask.OpenPass("M9", CARLA))

    assert not reply.ok
    assert reply.trouble.reason == "table_unknown" and reply.trouble.where == "table" and reply.trouble.message


def test_the_same_id_is_answered_alike_and_does_nothing_twice(stand):
    id_ = stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))
    stand.asks(ask.BuyCredits("M1", 1, 4, CARLA), id_=id_)
    stand.turn()
    stand.turn()

    first, second = stand.replies
    assert first == second
    assert stand.kinds().count("credits_bought") == 1


def test_the_same_id_with_other_content_is_refused(stand):
    id_ = stand.asks(ask.BuyCredits("M1", 1, 4, CARLA))
    stand.turn()

    reply = stand.reply(ask.BuyCredits("M1", 1, 5, CARLA), id_=id_)

    assert reply.trouble.reason == "id_reused"
    assert stand.book.state.tables["M1"].seat(1).credits == 2000


@pytest.mark.parametrize("asked", [ask.OpenPass("M1"), ask.Lock("M1"), REPORT, ask.LookAtClock(), ask.Draw("M1", "x", hit=True), ask.OpenDay("0002", "0" * 64, JEFE), ask.EnrolPerson("eva", "Eva", (), "0" * 64, ANA, LUIS)])  # fmt: skip
def test_what_a_button_a_device_or_the_node_says_is_never_taken_from_a_person(stand, asked):
    before = stand.book.seq

    reply = stand.reply(asked)

    assert reply.trouble.reason in {"not_a_persons", "signature_missing"}
    assert stand.book.seq == before


# Deeds


def test_a_day_is_opened_with_a_seed_that_was_kept_first(stand):
    close_day(stand)
    reply = stand.reply(do=Deed.OPEN_DAY, day="0002", signed=[JEFE])

    assert reply.ok
    day = stand.book.state.day
    assert stand.seeds.of("0002", day.commitment) is not None


def close_day(stand):
    from book_cases import SEED

    stand.book.take([stand.client.asked(ask.CloseDay(SEED.hex(), JEFE))])


def test_a_day_is_closed_with_its_seed_and_both_deeds_are_repeated_alike(stand):
    close_day(stand)
    opening = stand.asks(do=Deed.OPEN_DAY, day="0002", signed=[JEFE])
    stand.turn()
    closing = stand.asks(do=Deed.CLOSE_DAY, signed=[JEFE])
    stand.turn()
    stand.asks(do=Deed.OPEN_DAY, day="0002", signed=[JEFE], id_=opening)
    stand.asks(do=Deed.CLOSE_DAY, signed=[JEFE], id_=closing)
    stand.turn()

    assert [reply.ok for reply in stand.replies] == [True] * 4
    assert [reply.facts for reply in stand.replies[:2]] == [reply.facts for reply in stand.replies[2:]]
    assert stand.book.state.day is None and stand.book.state.last_day == "0002"


def test_no_seed_is_made_for_whoever_may_not_open_a_day(stand, tmp_path):
    close_day(stand)

    reply = stand.reply(do=Deed.OPEN_DAY, day="0002", signed=[CARLA])

    assert reply.trouble.reason == "role_missing"
    assert not list((tmp_path / "node").rglob("*.seed"))


def test_a_seed_that_cannot_be_kept_keeps_the_day_closed(stand, tmp_path):
    close_day(stand)
    (tmp_path / "node/seeds").write_text("a file where the folder should be")

    reply = stand.reply(do=Deed.OPEN_DAY, day="0002", signed=[JEFE])

    assert reply.trouble.reason == "seed_not_kept" and reply.trouble.rule == "R-30"
    assert stand.book.state.day is None


def test_somebody_is_enrolled_and_the_control_hears_of_his_pin(stand):
    reply = stand.reply(
        do=Deed.ENROL, person="eva", name="Eva", roles=("croupier",), verifier="a verifier", signed=[ANA, LUIS]
    )

    assert reply.ok
    assert stand.control.verifiers["eva"] == "a verifier"


def test_an_enrolment_repeated_with_another_verifier_of_the_same_pin_is_the_same(stand):
    told = {"do": Deed.ENROL, "person": "eva", "name": "Eva", "roles": ("croupier",), "signed": [ANA, LUIS]}
    id_ = stand.asks(verifier="salted so", **told)
    stand.asks(verifier="salted otherwise", id_=id_, **told)
    stand.turn()
    stand.turn()

    assert [reply.ok for reply in stand.replies] == [True, True]
    assert stand.kinds().count("person_enrolled") == 4


def test_an_enrolment_needs_a_second_person_and_roles_that_exist(stand):
    told = {"do": Deed.ENROL, "person": "eva", "name": "Eva", "verifier": "v"}

    assert stand.reply(roles=("croupier",), signed=[ANA], **told).trouble.where == "second"
    assert stand.reply(roles=("king",), signed=[ANA, LUIS], **told).trouble.where == "roles"


@pytest.mark.parametrize(
    "told", [{"do": Deed.LAMP_TEST, "table": "M1"}, {"do": Deed.SIGN_TEST, "sign": "bus"}, {"do": Deed.UNLOCK, "table": "M1"}]
)  # fmt: skip
def test_five_wrong_pins_at_deeds_lock_a_person(stand, told):
    stand.reply(ask.OpenPass("M1", JEFA))
    for _ in range(5):
        assert stand.reply(signed=[wrong("carla")], **told).trouble.reason == "pin_wrong"

    assert stand.reply(signed=[CARLA], **told).trouble.reason == "person_locked"
    assert stand.book.state.people["carla"].failures == 5
    assert not stand.floor.asked_for


def test_a_deed_on_devices_leaves_no_fact(stand):
    before = stand.book.seq

    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[CARLA]).ok
    assert stand.floor.asked_for == [Deed.LAMP_TEST] and stand.book.seq == before


def test_a_deed_that_cannot_be_done_says_why(stand):
    stand.floor.sentence = "La mesa está en juego."

    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[CARLA]).trouble.message == "La mesa está en juego."


def test_a_stranger_may_do_no_deed(stand):
    assert stand.reply(do=Deed.LAMP_TEST, table="M1", signed=[Signature("nadie")]).trouble.reason == "person_unknown"
    assert stand.reply(do=Deed.LAMP_TEST, table="M1").trouble.reason == "signature_missing"


def test_unlock_opens_a_pass_between_passes(stand):
    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA]).ok
    assert stand.book.state.tables["M1"].phase == "open"


def test_unlock_closes_a_sealed_pass_first(stand):
    stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    stand.reply(ask.Lock("M1", CARLA))
    assert stand.book.state.tables["M1"].phase == "sealed"

    reply = stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])

    assert reply.ok and [json.decode(bytes(fact))["kind"] for fact in reply.facts] == ["pass_closed", "pass_opened"]
    assert stand.book.state.tables["M1"].number == 2


def test_unlock_in_an_open_pass_opens_the_units_that_came_back(stand):
    stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA])
    before = stand.book.seq

    assert stand.reply(do=Deed.UNLOCK, table="M1", signed=[CARLA]).ok
    assert stand.floor.asked_for == [Deed.UNLOCK] and stand.book.seq == before


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
    import book_cases

    prize = '[[complementary]]\nname = "Estrella"\namount = 5000\ndrawn = "seat"\npaid_in = "promotional_credits"\nfrom = "house"\none_in = 40\n'
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", prize + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    close_day(stand)
    stand.reply(do=Deed.OPEN_DAY, day="0002", signed=[JEFE])
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.now = max(stand.client.now, stand.book.state.clock)
        stand.client.say(*group)
    assert stand.book.state.tables["M1"].draws == ("Estrella",)

    stand.turn()

    assert not stand.book.state.tables["M1"].draws and "drawn" in stand.kinds()
    stand.close()


def test_a_seed_that_is_lost_is_said_once_and_draws_nothing(tmp_path, monkeypatch):
    import book_cases

    prize = '[[complementary]]\nname = "Estrella"\namount = 5000\ndrawn = "seat"\npaid_in = "promotional_credits"\nfrom = "house"\none_in = 40\n'
    monkeypatch.setattr(book_cases, "PLAN", book_cases.PLAN.replace("[[tables]]", prize + "[[tables]]", 1))
    stand = Stand(tmp_path / "node")
    for group in islice(book_cases.one_pass(stand.book), 3):
        stand.client.say(*group)

    stand.turn()
    stand.turn()

    assert stand.lost == ["0001"] and stand.book.state.tables["M1"].draws
    stand.close()


# Ends


def test_stop_locks_everything_commits_what_is_here_and_shows_it(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.asks(ask.OpenPass("M1", CARLA))

    stand.engine.run()

    assert "lock everything" in stand.happened
    assert stand.replies[-1].ok and stand.control.views[-1].stopping


def test_a_stopping_engine_unlocks_nothing(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.floor.locked = False
    unlock = Wish(UNIT, Verb.UNLOCK, (1,))
    wishes = stand.floor.wishes
    stand.floor.wishes = lambda state, now: [*wishes(state, now), *([unlock] if stand.show.stopping else [])]
    now, ticks = stand.clock.now, iter(range(0, 10**9, 50_000))
    stand.engine._clock = stand.clock._replace(now=lambda: now() + next(ticks))

    stand.engine.run()

    assert not [wish for what, *rest in stand.log if what == "wishes" for wish in rest[0] if wish.verb is Verb.UNLOCK]


def test_a_stop_waits_for_the_locks_but_not_for_ever(stand):
    stand.inbox.put(Stop("SIGTERM"))
    stand.floor.locked = False
    ticks = iter(range(0, 10**9, WAIT_FOR_LOCKS // 10))
    stand.engine._clock = stand.clock._replace(now=lambda: stand.micros + next(ticks))

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
