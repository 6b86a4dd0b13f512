"""A box burned, and with it all that nothing else knows: its keys, the secret of its PINs, what its units remembered (R-27, R-37).

The story, at the real nodes of a casino with a box. The box burns with 4 credits of a player on a seat and an award that
nobody was paid. Its casino's node has its record. Who has no codes, or others, makes nothing of it. With the two codes the
record is back, under a new epoch; its link has a new key, and nobody hears it until two persons have pinned that. The secret
of the PINs is lost on the way: two make new ones, the croupier is enrolled anew by them, and the old PINs are good for nothing.
Its units come without their memory: no seat takes a bet, each says so, and what they say now is where counting starts and no
difference to what they said. The credits are those on record; a chief opens a seat, two count it, and a credit that is not
there is no loss in silence but stands unexplained until two clear it. Then the award is paid, the seats play, and every record is in order.
"""

import io
import re
import shutil
import sys
from contextlib import closing
from unittest.mock import patch

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Side
from controller.node.book.link_key import LinkKey
from controller.node.link.mirrors import mirror_of
from controller.node.store.mirror import MirrorFile
from controller.node.store.store import Reader
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.protocol import Deed, Pin
from support.node.linked_casinos import BY, TABLE, linked
from support.node.node_process import ANA, CARLA, JEFE, LUIS
from support.pozo import pozo

pytestmark = pytest.mark.process

BOX = "valle"
SEATS, CONSOLE = range(1, 7), 20
OTHER_CODE = "AAAA-AAAA-AAAA-AAAA"
NEW_ANA, NEW_LUIS = (Pin(one.person, f"9{one.pin[1:]}") for one in (ANA, LUIS))


def typed(*lines, of):
    """A command of the page, with what the two type."""
    with patch.object(sys, "stdin", io.StringIO("\n".join((*lines, "")))):
        code, said, complained = pozo(*of)
    return code, said + complained


def facts_of(record):
    with Reader.open(record) as reader:
        return list(reader.facts())


def mirrored(three):
    path = mirror_of(three.norte.place / "folder", BOX)
    if not path.exists():
        return 0
    with closing(MirrorFile.read(path)) as file:
        end = file.end()
        return end.seq if end is not None and file.escrows() else 0


def with_codes(codes):
    """Two persons of the box made their codes before it was started."""

    def how(place):
        if place.name == BOX:
            asked = "escrow", place / "folder", "--by", ANA.person, "--second", LUIS.person
            codes.extend(re.findall(r"Código de \w+: (\S+)", typed(of=asked)[1]))
        return {}

    return how


def test_r27_a_box_whose_keys_pins_and_unit_memories_are_gone_plays_again_and_nothing_was_believed_in_silence(tmp_path):
    codes, stick = [], tmp_path / "stick.db"
    with linked(BOX, with_codes(codes)) as three:
        box, casino = three.valle, three.norte
        three.introduced()
        award = an_evening(box)
        three.rest()
        casino.until(lambda _: mirrored(three) == len(facts_of(box.record)))
        before, owed = facts_of(box.record), box.balances()

        box.kill()
        shutil.rmtree(box.place / "folder")
        (box.place / "folder").mkdir(mode=0o700)
        box.desk(*(f"unit {unit} {what}" for unit in (*SEATS, CONSOLE) for what in ("forget", "reboot")))
        assert typed(of=("backup", mirror_of(casino.place / "folder", BOX), stick))[0] == 0

        without_the_codes_there_is_no_record(box, stick, codes)
        made_anew(box, stick, codes)
        the_pins_are_lost_too(box)
        key = LinkKey.load_or_make(box.place / "folder").public.hex()
        box.start()
        nobody_hears_it_until_two_have_pinned_its_key(casino, box, key)
        people_are_enrolled_anew(box)

        after = facts_of(box.record)
        assert after[: len(before)] == before and after[len(before)].kind == "node_restored"
        assert box.balances() == owed, "what was owed is owed"
        no_seat_plays_before_a_person_opened_it(box)
        two_count_and_what_is_not_there_stands_unexplained(box)
        box.ask(ask.PayAward(award.award, BY), CARLA)
        main = casino.pot.main
        box.bet(3, 1)
        three.rest()
        assert casino.pot.main > main, "and it goes on"
        records = [node.end() for node in three.nodes.values()]
        mirror = mirror_of(casino.place / "folder", BOX)
        assert "ESPEJO BIEN" in typed(of=("verify", box.record, "--mirror", mirror))[1]
        code, said = typed(of=("verify", *records))
        assert code == 0 and said.count("BIEN: ") >= len(records), said


def an_evening(box):
    """One bet of five that wins and is not paid yet; four credits of a player who only bought them."""
    box.bet(1, 5)
    award = box.claims(Hand(1, claimed="full"))
    box.ask(ask.ConfirmAward(award.award, BY, BY), JEFE, ANA)
    box.ask(ask.BuyCredits(TABLE, 2, 4, BY), CARLA)
    return award


def restoring(box, stick):
    two = "--by", ANA.person, "--second", LUIS.person, "--reason", "se quemó"
    return ("restore", stick, box.record, "--mirror", *two)


def without_the_codes_there_is_no_record(box, stick, codes):
    """The key lies sealed; a mirror without its codes is evidence and no node."""
    for wrong in ((codes[0], OTHER_CODE), (codes[1], codes[1])):
        code, said = typed(*wrong, ANA.pin, LUIS.pin, of=restoring(box, stick))
        assert code == 1 and not box.record.exists(), said
    back = restoring(box, stick)[:3]
    code, said = typed(ANA.pin, LUIS.pin, of=(*back, *restoring(box, stick)[4:]))
    assert code != 0 and "key is not there" in said and not box.record.exists(), said


def made_anew(box, stick, codes):
    code, said = typed(*codes, ANA.pin, LUIS.pin, of=restoring(box, stick))
    assert code == 0, said


def the_pins_are_lost_too(box):
    (box.place / "folder/pepper").unlink()
    asked = "new-pins", box.place / "folder", "--by", ANA.person, "--second", LUIS.person, "--reason", "se quemó"
    code, said = typed(NEW_ANA.pin, NEW_LUIS.pin, of=asked)
    assert code == 0, said


def nobody_hears_it_until_two_have_pinned_its_key(casino, box, key):
    unheard = box.until(lambda view: any("no ha dicho hasta dónde lo oyó" in one.sentence for one in view.alarms))
    assert not unheard.neighbours[0].up
    casino.until(lambda view: any(one.sentence == f"Sin enlace con {BOX}." for one in view.alarms))
    settings = casino.place / "node.toml"
    pinned = re.search(rf'name = "{BOX}".*?fingerprint = "(\S+)"', settings.read_text(), re.DOTALL)[1]
    settings.write_text(settings.read_text().replace(pinned, fingerprint_of(key)))
    pin = ask.PinNeighbour(BOX, Side.BELOW, key, BY, BY, True)
    assert casino.node.ask(pin, ANA).trouble.reason == "two_persons_needed"
    casino.ask(pin, ANA, LUIS)
    box.until(lambda view: view.neighbours[0].up)


def people_are_enrolled_anew(box):
    for old in (CARLA, ANA):
        assert box.node.ask(ask.BuyCredits(TABLE, 3, 1, BY), old).trouble.reason == "pin_wrong"
    for one, role in ((CARLA, "croupier"), (JEFE, "chief")):
        told = {"person": one.person, "name": one.person.title(), "roles": (role,), "known": True, "new_pin": one.pin}
        assert box.node.do(Deed.ENROL, NEW_ANA, **told).trouble.reason == "two_persons_needed"
        reply = box.node.do(Deed.ENROL, NEW_ANA, NEW_LUIS, **told)
        assert reply.ok, reply.trouble


def table_of(view):
    return next(one for one in view.tables if one.table == TABLE)


def no_seat_plays_before_a_person_opened_it(box):
    view = box.until(lambda view: all(seat.closed for seat in table_of(view).seats))
    closed = {one.where for one in view.alarms if "cerrada (unidad cambiada)" in one.sentence}
    assert closed == {f"{TABLE}/{seat}" for seat in SEATS}, "each says so, and why"
    assert table_of(view).seats[1].credits == 4, "what is on record, and not the nothing that its unit says"
    assert box.node.ask(ask.OpenSeat(TABLE, 2, BY), CARLA).trouble.reason == "role_missing"
    assert box.node.ask(ask.BuyCredits(TABLE, 3, 1, BY), CARLA).trouble.reason == "seat_closed"
    assert box.node.do(Deed.UNLOCK, CARLA, table=TABLE).ok
    box.desk("seat 2 press 1")
    box.ask(ask.Lock(TABLE, BY), CARLA)
    box.until(lambda view: table_of(view).phase == "sealed")
    assert not any(seat.bet for seat in table_of(box.until(bool)).seats)


def two_count_and_what_is_not_there_stands_unexplained(box):
    found = ask.CountSeat(TABLE, 2, 3_000, BY, BY)
    assert box.node.ask(found, JEFE).trouble.reason == "two_persons_needed"
    box.ask(found, JEFE, NEW_ANA)
    box.until(lambda view: any(one.sentence == f"En la mesa {TABLE} hay 1000 sin explicar." for one in view.alarms))
    box.ask(ask.ClearSuspense(TABLE, "no estaba", BY, BY), JEFE, NEW_ANA)
    for seat in SEATS:
        box.ask(ask.OpenSeat(TABLE, seat, BY), JEFE)
    assert table_of(box.until(bool)).seats[1].credits == 3
