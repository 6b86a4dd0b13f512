"""The thief with the disk and the member with the share: old copies of a record, and what was kept outside of it.

An old copy plays on; a backup is used as the record; heads are deleted, forged, replayed; a share is gone; two restores fall
into one second. What the process itself does about it stands at the end.
"""

import os
import shutil
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from controller.cli.restore import restore as restore_command
from controller.core import inputs as ask
from controller.core.values import HeadLeft, Signature
from controller.node.book import heads as heads_file
from controller.node.book import restore as restore_module
from controller.node.book.chain import Key
from controller.node.book.restore import KnownOutside, Restoring, known_of, restore
from controller.node.service import head_places
from controller.node.store.backup import back_up
from controller.node.store.failure import StoreRefused
from controller.node.store.store import Reader
from controller.node.vocabulary.protocol import Deed
from support.attack.lives import TOO_LATE, life
from support.node.node_process import ANA, CARLA, JEFE, LUIS, casino, founded, journal_of, today
from support.pozo import pozo

NOW = time.time_ns() // 1_000_000
BY = Signature("")


@pytest.fixture
def folder(template, tmp_path):
    return shutil.copytree(template / "folder", tmp_path / "folder")


@pytest.fixture
def usb(tmp_path):
    (place := tmp_path / "usb").mkdir()
    return place


def record_at(folder, aside, *places, facts=5):
    """A copy of the record as it was, and the folder some facts later."""
    shutil.copytree(folder, aside)
    with life(folder, places) as one:
        one.plays(facts)
    return one.book.seq


def heads_in(place):
    return [msgspec.json.decode(line)["checkpoint"]["seq"] for line in place.read_bytes().splitlines()]


# The thief with the disk


def test_an_old_copy_of_the_record_does_not_play_on(folder, tmp_path):
    last = record_at(folder, tmp_path / "old")
    shutil.copy(tmp_path / "old/node.db", folder / "node.db")
    before = (folder / "node.db").read_bytes()

    with (
        pytest.raises(StoreRefused, match=f"y el testigo es del {last}: es una copia vieja.*pozo restore"),
        life(folder),
    ):
        pass

    assert (folder / "node.db").read_bytes() == before, "what was refused stays as it was, also as evidence"


def test_a_backup_is_not_a_record(folder, tmp_path):
    back_up(folder / "node.db", tmp_path / "copy.db")
    record_at(folder, tmp_path / "old")
    shutil.copy(tmp_path / "copy.db", folder / "node.db")

    with pytest.raises(StoreRefused, match="es una copia vieja"), life(folder):
        pass


def test_the_whole_folder_put_back_is_behind_what_the_stick_knows(folder, tmp_path, usb):
    record_at(folder, tmp_path / "old", usb)

    with pytest.raises(StoreRefused, match=r"usb/central\.heads"), life(tmp_path / "old", [usb]):
        pass


def test_two_copies_that_play_apart_are_found_by_the_first_start(folder, tmp_path, usb):
    shutil.copytree(folder, tmp_path / "clone")
    for one, facts in ((folder, 5), (tmp_path / "clone", 7)):
        (usb / "central.heads").unlink(missing_ok=True)
        with life(one, [usb]) as living:
            living.plays(facts)

    with pytest.raises(StoreRefused, match=r"usb/central\.heads"), life(folder, [usb]):
        pass


def test_another_history_at_the_same_number_is_refused(folder, tmp_path):
    record_at(folder, tmp_path / "old", facts=5)
    with life(tmp_path / "old") as other:
        other.plays(2)
        other.plays(9)
    shutil.copy(tmp_path / "old/node.db", folder / "node.db")

    with pytest.raises(StoreRefused, match="tiene otro hecho"), life(folder):
        pass


def test_with_every_head_gone_it_starts_and_says_so(folder, tmp_path):
    record_at(folder, tmp_path / "old")
    shutil.copy(tmp_path / "old/node.db", folder / "node.db")
    (folder / "node.heads").unlink()

    with life(folder) as one:
        (said,) = one.alarms()

    assert "alguien lo quitó" in said and one.journal[0] == "head_trouble"
    with life(folder) as one:
        assert one.alarms() == []


def test_a_new_node_is_not_founded_where_the_heads_of_another_record_lie(tmp_path):
    """Who would lose a record found a new one in its place, with its key and its name."""
    founded(tmp_path)
    (tmp_path / "folder/node.db").unlink()

    with pytest.raises(StoreRefused, match="atestigua un registro que estuvo aquí"):
        founded(tmp_path)

    assert not (tmp_path / "folder/node.db").exists()


# The member with the share


def test_a_forged_head_keeps_no_node_from_starting(folder, usb, tmp_path):
    """Another key, the right key under other words, and a line that is ours but for one digit."""
    with life(folder, [usb]):
        pass
    genuine = (usb / "central.heads").read_bytes().splitlines()[-1]
    other = Key.load_or_make(tmp_path / "other.key")
    line = msgspec.json.decode(genuine)
    ahead = {**line["checkpoint"], "seq": 10**6}
    signature = other.sign(msgspec.json.encode(ahead, order="sorted")).hex()
    forged = [
        msgspec.json.encode({"checkpoint": ahead, "signature": signature, "key": other.public}),
        msgspec.json.encode({**line, "checkpoint": ahead}),
        genuine.replace(b'"epoch":1', b'"epoch":9'),
    ]
    (usb / "central.heads").write_bytes(b"\n".join(forged))

    with life(folder, [usb]) as one:
        one.plays()
        assert "no firmó" in one.alarms()[0]

    with life(folder, [usb]) as one:
        assert one.alarms() == [], "the node wrote over it"


def test_an_old_genuine_head_that_is_put_there_again_changes_nothing(folder, usb, tmp_path):
    with life(folder, [usb]):
        pass
    shutil.copy(usb / "central.heads", tmp_path / "kept")
    with life(folder, [usb]) as one:
        one.plays()
    shutil.copy(tmp_path / "kept", usb / "central.heads")

    with life(folder, [usb]) as one:
        assert one.alarms() == []


@pytest.mark.parametrize(
    "spoil",
    [
        lambda place: place.write_bytes(os.urandom(5_000)),
        lambda place: place.write_bytes(b"[" * 60_000),
        lambda place: place.write_bytes(b'{"checkpoint":' * 4_000),
        lambda place: place.write_bytes(b"x" * 2**22),
        lambda place: place.write_text('{"checkpoint":{},"signature":"zz","key":""}\n'),
        os.mkfifo,
        lambda place: place.symlink_to("/dev/zero"),
        lambda place: place.symlink_to(place.parent / "nowhere"),
        lambda place: place.mkdir(),
    ],
)
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_whatever_lies_there_the_node_plays(folder, usb, spoil):
    spoil(usb / "central.heads")

    with life(folder, [usb]) as one:
        one.plays()
        said = one.alarms(TOO_LATE)

    assert any(str(usb) in sentence for sentence in said)
    assert Path("/dev/zero").is_char_device()


def test_a_share_that_is_gone_holds_nothing_up_and_is_an_alarm_after_a_while(folder, tmp_path):
    gone = tmp_path / "nas"
    with life(folder, [gone]) as one:
        one.plays()
        assert one.alarms() == [], "a stick is changed within a minute"
        (said,) = one.alarms(TOO_LATE)

    assert f"{gone} no recibe los testigos" in said and not gone.exists()


def test_a_share_that_answers_nobody_holds_nothing_up(folder, usb, monkeypatch):
    """It takes the call and never comes back, at the start and later."""
    hangs, ends = head_places.text_of, head_places.Event()

    def hang(place):
        if place.is_relative_to(usb):
            ends.wait(30)
        return hangs(place)

    monkeypatch.setattr(head_places, "text_of", hang)
    monkeypatch.setattr(head_places, "READ_WITHIN", 0.05)
    began = time.monotonic()
    with life(folder, [usb]) as one:
        one.plays()
        started = time.monotonic() - began
        assert str(usb) in one.alarms(TOO_LATE)[0]
        assert heads_in(folder / "node.heads")[-1] <= one.book.seq, "the others take theirs"
        ends.set()
    assert started < 2


def test_a_share_that_comes_back_knowing_more_is_an_alarm_and_is_not_written_over(folder, usb, tmp_path, monkeypatch):
    """The thief pulled the plug of the share before he put the old folder back."""
    monkeypatch.setattr(head_places, "AGAIN_AFTER", 0.02)
    record_at(folder, tmp_path / "old", usb)
    known = (usb / "central.heads").read_bytes()
    usb.rename(tmp_path / "away")

    with life(tmp_path / "old", [usb]) as one:
        (tmp_path / "away").rename(usb)
        place = one.heads._places[1]
        while place.waits_since is not None:
            place.join(0.01)
        (said,) = [sentence for sentence in one.alarms() if str(usb) in sentence]

    assert "El próximo arranque no abrirá este registro" in said
    assert (usb / "central.heads").read_bytes() == known
    with pytest.raises(StoreRefused), life(tmp_path / "old", [usb]):
        pass


# What two persons do about it


def test_a_restore_names_what_it_leaves_and_then_the_node_starts(folder, usb, tmp_path):
    back_up(folder / "node.db", tmp_path / "copy.db")
    last = record_at(folder, tmp_path / "old", usb)
    key = Key.load_or_make(folder / "node.key")
    (folder / "node.db").unlink()
    left = known_of(tmp_path / "copy.db", folder / "node.db", key, [usb]).left
    assert left is not None and (left.epoch, left.seq) == (1, last)

    epoch = restore(
        Restoring(tmp_path / "copy.db", folder / "node.db", key, folder / "pepper", (ANA, LUIS), "robo", NOW, [usb])
    )

    with life(folder, [usb]) as one:
        assert (one.book.state.epoch, one.book.state.left) == (epoch, (left,))
        assert one.alarms() == []
    code, out, _ = pozo("verify", folder / "node.db")
    assert code == 0 and f"lo que hubo hasta {last}-{left.hash[:16]} (época 1)" in out
    shutil.copy(tmp_path / "old/node.db", folder / "node.db")
    with pytest.raises(StoreRefused, match="es de antes de restaurar"), life(folder, [usb]):
        pass


def test_what_a_restore_did_not_name_is_an_alarm_and_no_trap(folder, usb, tmp_path):
    """On a new machine, with the share away: who kept a head of the old epoch must not be able to stop the house later."""
    back_up(folder / "node.db", tmp_path / "copy.db")
    last = record_at(folder, tmp_path / "old", usb)
    (new := tmp_path / "new").mkdir()
    shutil.copy(folder / "node.key", new)
    shutil.copy(folder / "pepper", new)
    key = Key.load_or_make(new / "node.key")
    restore(Restoring(tmp_path / "copy.db", new / "node.db", key, new / "pepper", (ANA, LUIS), "incendio", NOW))

    with life(new, [usb]) as one:
        (said,) = one.alarms()

    assert f"testigo del hecho {last} de la época 1, que la restauración no nombró" in said


def test_two_restores_of_one_backup_in_one_second_are_two_epochs(folder, tmp_path):
    """Two machines that know nothing of each other: what one promised is never taken for the other's."""
    back_up(folder / "node.db", tmp_path / "copy.db")
    key = Key.load_or_make(folder / "node.key")

    two = (folder / "pepper", (ANA, LUIS), "robo", NOW)
    epochs = {restore(Restoring(tmp_path / "copy.db", tmp_path / f"{n}.db", key, *two)) for n in range(3)}

    assert len(epochs) == 3


def test_verify_finds_a_restore_that_says_it_left_what_is_there(folder, monkeypatch, tmp_path):
    back_up(folder / "node.db", tmp_path / "copy.db")
    key = Key.load_or_make(folder / "node.key")
    with Reader.open(tmp_path / "copy.db") as reader:
        (third,) = reader.facts(3, 3)
    known = KnownOutside(1, HeadLeft(1, 3, third.hash.hex()))
    monkeypatch.setattr(restore_module, "known_of", lambda *_: known)
    restore(Restoring(tmp_path / "copy.db", tmp_path / "back.db", key, folder / "pepper", (ANA, LUIS), "nada", NOW))

    code, out, _ = pozo("verify", tmp_path / "back.db")

    assert code == 1 and f"dice dejar atrás el hecho 3-{third.hash.hex()[:16]}, y está en el registro" in out


def test_the_command_says_what_is_lost_before_anybody_types_a_pin(folder, usb, tmp_path):
    back_up(folder / "node.db", tmp_path / "copy.db")
    last = record_at(folder, tmp_path / "old", usb)
    (folder / "node.db").unlink()
    words = [tmp_path / "copy.db", folder / "node.db", "--key", folder / "node.key", "--heads", usb]
    words += ["--by", "ana", "--second", "luis", "--reason", "robo"]

    asked = CliRunner().invoke(restore_command, list(map(str, words)), input=f"{ANA.pin}\n{LUIS.pin}\n")

    assert asked.exit_code == 0, asked.output
    lost = f"Se pierde lo que hubo después de esta copia, hasta el hecho {last} (época 1)"
    assert lost in asked.output and asked.output.index(lost) < asked.output.index("PIN de ana")


def test_heads_are_few_and_the_last_is_a_witness(folder, usb, tmp_path):
    shutil.copy(folder / "node.db", tmp_path / "old.db")
    with life(folder, [usb]) as one:
        for _ in range(20):
            one.plays(1)
            one.heads._places[0].join(0.02)

    for place in (folder / "node.heads", usb / "central.heads"):
        assert 1 <= len(heads_in(place)) <= heads_file.KEPT and heads_in(place)[-1] == one.book.seq
        assert pozo("verify", folder / "node.db", "--witness", place)[0] == 0
    shutil.copy(tmp_path / "old.db", folder / "node.db")
    code, out, _ = pozo("verify", folder / "node.db", "--witness", usb / "central.heads")
    assert code == 1 and "está cortado" in out


# The process


@pytest.mark.process
def test_the_node_says_in_one_sentence_that_its_record_is_old_and_needs_a_person(template):
    with casino(template, more='[heads]\nplaces = ["usb"]\n') as place:
        (place.place / "usb").mkdir()
        node = place.start()
        node.ready()
        node.up()
        assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        assert node.end()[0] == 0
        shutil.copytree(place.place / "folder", place.place / "old")
        node = place.start()
        node.ready()
        assert node.ask(ask.BuyCredits("DP-01", 1, 5, BY), CARLA).ok
        assert node.end()[0] == 0
        shutil.rmtree(place.place / "folder")
        (place.place / "old").rename(place.place / "folder")

        ended = place.command()

    (said,) = [line for line in journal_of(ended.stderr) if line["level"] == "critical"]
    assert (ended.returncode, said["event"]) == (78, "not_started")
    assert "usb/central.heads" in said["message"] and "es una copia vieja" in said["message"]
    assert "Traceback" not in ended.stderr


def seat_1(view):
    return next(one for one in view.seats if one.seat == 1)


@pytest.mark.process
def test_units_that_know_more_than_the_record_say_so_until_two_persons_have_counted(template):
    """The thief put an old record back and took every head away; what he cannot put back is in the units."""
    with casino(template) as place:
        node = place.start()
        node.ready()
        node.up()
        assert node.do(Deed.OPEN_DAY, JEFE, day=today()).ok
        assert node.ask(ask.BuyCredits("DP-01", 1, 5, BY), CARLA).ok
        node.until(lambda view: seat_1(view).credits == 5)
        assert node.end()[0] == 0
        shutil.copy(place.place / "folder/node.db", place.place / "old.db")
        node = place.start()
        node.ready()
        node.up()
        assert node.do(Deed.UNLOCK, CARLA, table="DP-01").ok
        node.until(lambda view: not seat_1(view).locked)
        place.desk("seat 1 press 1")
        node.until(lambda view: seat_1(view).lamp == "lit")
        place.desk("console lock")
        node.until(lambda view: view.tables[0].phase == "sealed")
        assert node.ask(ask.ClosePass("DP-01", BY), CARLA).ok
        assert node.end()[0] == 0
        (place.place / "old.db").replace(place.place / "folder/node.db")
        (place.place / "folder/node.heads").unlink()

        node = place.start()
        node.ready()

        def said(view):
            return [alarm.sentence for alarm in view.alarms if "saben más que el registro (DP-01/1)" in alarm.sentence]

        node.until(said)
        assert node.end()[0] == 0
        node = place.start()
        node.ready()
        node.up()
        assert said(node.until(said)), "another start changes nothing"
        assert node.ask(ask.OpenSeat("DP-01", 1, BY), JEFE).trouble.reason == "seat_uncounted"
        assert node.ask(ask.CountSeat("DP-01", 1, 5_000, BY, BY), JEFE, ANA).ok
        node.until(lambda view: not said(view))
        assert node.end()[0] == 0
        assert place.verify().startswith("BIEN")
