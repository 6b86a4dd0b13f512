"""docs/device-contract.md says the same as the codecs: every frame, every register, every name and number."""

import re
from dataclasses import fields, replace

import pytest

from drivers.modbus import mbap, pdu, rtu
from drivers.modbus.crc import crc16
from drivers.native import blocks, contract, writes
from drivers.native.blocks import FastPoll, Identity, Ring, RingEntry, SeatDetail, SeatPoll
from drivers.native.contract import Bet, LampDrive, LockState, SeatMode
from drivers.native.writes import Command, Config, Desired, Display
from support.places import ROOT

TEXT = (ROOT / "docs" / "device-contract.md").read_text()
UNIT = 0x0B


# ---------------------------------------------------------------------------------------------- the document, parsed


def tables():
    """Each table as (its header's first cell, rows of cells)."""
    for block in re.findall(r"(?:^\|.*\n)+", TEXT, re.MULTILINE):
        rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in block.strip().split("\n")]
        yield rows[0][0], rows[2:]


def frames(fence):
    """Each exchange as (title, [(kind, bytes or names)]), in the order written."""
    for body in re.findall(rf"^```{fence}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL):
        for part in re.sub(r"\n  ", " ", body).split("\n\n"):
            title, lines = "", []
            for line in part.strip().split("\n"):
                mark, rest = line[0], line[2:]
                if mark == "#":
                    title = rest
                elif mark == "=":
                    lines.append(("=", dict(pair.split("=") for pair in rest.split())))
                else:
                    lines.append((mark, bytes.fromhex(rest)))
            yield title, lines


EXCHANGES = list(frames("frames"))
NUMBERED = {name: rows for name, rows in tables() if re.match(r"(bit|value) of ", name)}
PLACED = {name.removeprefix("word of "): rows for name, rows in tables() if name.startswith("word of ")}


# ---------------------------------------------------------------------------------------------- frames


def image_of(address, words, unit):
    """What these words are, by the codec of the block they stand in."""
    decoders = {
        contract.IDENTITY: lambda: Identity.decode(words, unit),
        contract.FAST_POLL: lambda: FastPoll.decode(words, unit, 1),
        contract.DETAIL: lambda: SeatDetail.decode(words, unit, 1),
        contract.RING: lambda: Ring.decode(words, unit),
        contract.CONFIG: lambda: Config.decode(words),
        contract.DESIRED: lambda: Desired.decode(words),
        contract.COMMAND: lambda: Command.decode(words),
        contract.DISPLAY: lambda: Display.decode(words),
    }
    return decoders[address]()


def shows(image, names):
    seat = image.seats[0] if isinstance(image, FastPoll) else image
    for name, value in names.items():
        shown = getattr(image, name) if hasattr(image, name) else getattr(seat, name)
        if isinstance(shown, str):
            assert shown.replace(" ", "_") == value, name
        else:
            assert int(shown) == int(value), name


def framed(raw):
    assert crc16(raw) == 0, "a frame and its checksum have the checksum 0"
    return raw[0], raw[1:-2]


@pytest.mark.parametrize(("title", "lines"), EXCHANGES, ids=[title for title, _ in EXCHANGES])
def test_a_golden_frame_is_what_the_codecs_make_and_understand(title, lines):
    unit, question = framed(lines[0][1])
    request = pdu.decode_request(question)
    assert unit == (0 if "broadcast" in title else UNIT)
    assert lines[0][0] == ">"
    images = []
    if not isinstance(request, pdu.Denied):
        assert rtu.frame(unit, pdu.encode_request(request)) == lines[0][1]
    if isinstance(request, pdu.WriteWords | pdu.WriteReadWords):
        address = request.write_address if isinstance(request, pdu.WriteReadWords) else request.address
        images = [(image_of(address, request.words, unit), request.words)]
    answers = [raw for mark, raw in lines if mark == "<"]
    assert len(answers) == (unit != 0), "a broadcast has no answer, all else has one"
    if answers:
        sender, pdu_back = framed(answers[0])
        assert sender == unit
        if isinstance(request, pdu.Denied):
            assert pdu_back == pdu.encode_denial(question[0], request.code)
        else:
            answer = pdu.decode_answer(request, pdu_back)
            assert answer is not None
            assert pdu.encode_answer(request, answer) == pdu_back
            if isinstance(answer, pdu.Words):
                images.append((image_of(request.address, answer.words, unit), answer.words))
            if isinstance(answer, pdu.Denied):
                assert f"exception {answer.code:02}" in title
                images = []
    for image, words in images:
        assert not isinstance(image, blocks.Flaw), image
        assert image.encode() == words
    for mark, names in lines:
        if mark == "=":
            shows(images[-1][0], names)


def test_a_refused_frame_is_refused_for_the_reason_it_shows():
    (bad,) = [lines for title, lines in EXCHANGES if "wrong check word" in title]

    assert Desired.decode(pdu.decode_request(bad[0][1][1:-2]).words) is blocks.Flaw.CHECK


def test_the_tcp_frames_hold_the_same_message():
    ((_, ((_, question), (_, answer))),) = frames("mbap")
    read = pdu.ReadWords(contract.FAST_POLL, 28)
    golden = dict(EXCHANGES)["A: fast poll, one seat"]

    assert mbap.frame(0x2B, UNIT, pdu.encode_request(read)) == question
    assert question[7:] == golden[0][1][1:-2]
    assert answer[7:] == golden[1][1][1:-2]
    assert mbap.frame(0x2B, UNIT, answer[7:]) == answer


def test_every_block_function_and_command_has_its_frames():
    asked = [pdu.decode_request(lines[0][1][1:-2]) for _, lines in EXCHANGES]
    read = {request.address for request in asked if isinstance(request, pdu.ReadWords)}
    written = {request.address for request in asked if isinstance(request, pdu.WriteWords)}
    opcodes = {
        Command.decode(request.words).opcode
        for request in asked
        if isinstance(request, pdu.WriteWords) and request.address == contract.COMMAND
    }

    assert read >= {contract.IDENTITY, contract.RING, contract.CONFIG, contract.DETAIL, contract.FAST_POLL}
    assert written == {contract.CONFIG, contract.DESIRED, contract.COMMAND, contract.DISPLAY}
    assert opcodes == set(contract.Opcode)
    assert any(isinstance(request, pdu.WriteReadWords) for request in asked)


def test_the_golden_frames_of_the_evidence_are_byte_for_byte_ours():
    """Found independently, before this program was (devices.md 2.7)."""
    unlock = Desired(token=0x1234, heartbeat=0x0101, lock=contract.UNLOCK, round_id=77, ack=42)
    seat = SeatPoll(bet=Bet.CONFIRMED, flags=0x1C00, lamp=LampDrive.STEADY, feedback=0x21, milliamps=18, bet_credits=2,
                    loaded=50, bets=31, voided=1)  # fmt: skip
    poll = FastPoll(unit=UNIT, snapshot=7, boot_id=0xBEEF, uptime=123456, lock=LockState.OPEN, flags=0x10, seq=42,
                    cut=40, token=0x1234, command_id=9, result=1, heartbeat_age=15, seats=(seat,))  # fmt: skip
    write = pdu.WriteWords(contract.DESIRED, unlock.encode())
    read = pdu.ReadWords(contract.FAST_POLL, 28)

    assert rtu.frame(UNIT, pdu.encode_request(read)).hex(" ") == "0b 03 20 00 00 1c 4f 69"
    assert rtu.frame(UNIT, pdu.encode_answer(read, pdu.Words(poll.encode()))).hex() == (
        "0b0338a5010b010007beef0001e240001100000000002a000000281234"
        "0009010f79901c020121001200020000003200"
        "00001f000000010000"
        "0000b247"
    )
    assert rtu.frame(UNIT, pdu.encode_request(write)).hex(" ") == (
        "0b 10 04 00 00 08 10 12 34 01 01 55 4e 00 4d 00 00 00 2a 00 00 66 dd 2e e5"
    )
    assert rtu.frame(UNIT, pdu.encode_answer(write, pdu.Written())).hex(" ") == "0b 10 04 00 00 08 c0 55"
    lock = pdu.WriteWords(contract.DESIRED, writes.BROADCAST_LOCK)
    assert rtu.frame(0, pdu.encode_request(lock)).hex(" ") == (
        "00 10 04 00 00 08 10 00 00 00 00 4c 4f 00 00 00 00 00 00 00 00 d9 19 7f 75"
    )


# ---------------------------------------------------------------------------------------------- names and numbers


@pytest.mark.parametrize("title", NUMBERED)
def test_a_table_of_names_is_the_enumeration(title):
    kind, _, name = title.split()
    members = {member.name: int(member) for member in getattr(contract, name)}
    written = {row[1]: 1 << int(row[0]) if kind == "bit" else int(row[0]) for row in NUMBERED[title]}

    assert written == members


def test_every_enumeration_of_the_contract_is_in_the_document():
    enumerations = {name for name, value in vars(contract).items() if isinstance(value, type) and name != "IntEnum"}

    assert {title.split()[2] for title in NUMBERED} == enumerations


def test_the_blocks_stand_where_the_program_looks_for_them():
    rows = dict(tables())["block"]
    where = {row[0]: (int(row[1], 16), int(row[2])) for row in rows}

    assert where == {
        "I": (contract.IDENTITY, contract.BLOCK_WORDS), "E": (contract.RING, contract.RING_WORDS),
        "C": (contract.CONFIG, contract.BLOCK_WORDS), "D": (contract.DESIRED, contract.WRITE_WORDS),
        "K": (contract.COMMAND, contract.WRITE_WORDS), "V": (contract.DISPLAY, contract.WRITE_WORDS),
        "S": (contract.detail_address(1), contract.BLOCK_WORDS), "A": (contract.FAST_POLL, contract.fast_poll_words(1)),
    }  # fmt: skip
    assert contract.detail_address(2) - contract.detail_address(1) == 0x0100
    assert contract.fast_poll_words(9) == 124
    for word, value in (("tag A501", contract.TAG_FAST_POLL), ("tag A502", contract.TAG_DETAIL),
                        ("tag A503", contract.TAG_RING), ("tag A504", contract.TAG_CONFIG),
                        ("magic 4A50", contract.MAGIC), ("554E unlocks", contract.UNLOCK),
                        ("version 0101", contract.VERSION)):  # fmt: skip
        assert word in TEXT
        assert int(re.search(r"\b[0-9A-F]{4}\b", word).group(), 16) == value


# ---------------------------------------------------------------------------------------------- registers

EMPTY = {
    "Identity": Identity(unit_class=0, capabilities=0, seats=0, unit=0, first_seat=0, serial=0),
    "FastPoll": FastPoll(unit=0, snapshot=0, boot_id=0, uptime=0, lock=LockState.BOOT_LOCKED),
    "SeatPoll": SeatPoll(),
    "SeatDetail": SeatDetail(unit=0, seat=0),
    "Entry": RingEntry(seq=0, uptime=0, kind=0, seat=0),
    "Config": Config(credit_value=0, least=0, most=0, buttons=(0, 0, 0, 0)),
    "Desired": Desired(token=0, heartbeat=0),
    "Command": Command(command_id=0, opcode=0),
    "Display": Display(token=0, heartbeat=0),
}
CHECKED = {
    "Identity": 0x1F,
    "FastPoll": 0x0F,
    "SeatDetail": 0x1F,
    "Config": 0x1F,
    "Desired": 7,
    "Command": 7,
    "Display": 7,
}
OTHER = {
    "product": "Sixteen letters.", "buttons": (1, 2, 3, 4), "baud": 9600, "lock": LockState.OPEN, "bet": Bet.PENDING,
    "mode": SeatMode.CHIPS, "lamp": LampDrive.STEADY,
}  # fmt: skip


def words_of(cell):
    first, _, last = cell.partition("-")
    return set(range(int(first, 16), int(last or first, 16) + 1))


def other_value(name, field, wide):
    if name in {"Desired", "SeatDetail"} and field in {"lock", "lamp", "bet"}:
        return 1
    if field in OTHER:
        return OTHER[field]
    return getattr(EMPTY[name], field) ^ (0x10001 if wide else 1)


@pytest.mark.parametrize("name", EMPTY)
def test_a_register_table_names_the_words_the_codec_fills(name):
    empty = EMPTY[name]
    documented = set()
    for cell, names, content in PLACED[name]:
        place = words_of(cell)
        for field in re.findall(r"`(\w+)`", names):
            documented.add(field)
            filled = replace(empty, **{field: other_value(name, field, len(place) > 1)})
            before, after = list(empty.encode()), list(filled.encode())
            changed = {index for index, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]}
            assert changed - {CHECKED.get(name)} == place, field
        if names == "-" and "check word" in content:
            assert place == {CHECKED[name]}
    assert documented == {field.name for field in fields(empty)} - {"seats" if name == "FastPoll" else ""}


@pytest.mark.parametrize("name", EMPTY)
def test_no_word_of_a_register_table_is_named_twice(name):
    places = [word for cell, *_ in PLACED[name] for word in sorted(words_of(cell))]

    assert len(places) == len(set(places))


def test_a_ring_slot_stands_where_its_number_says():
    ring = Ring(unit=UNIT, newest=77, entries=(RingEntry(seq=77, uptime=0, kind=1, seat=1),))

    assert ring.encode()[4 + 8 * (77 % 12) : 4 + 8 * (77 % 12) + 2] == (0, 77)
    assert "`4 + 8 * (n mod 12)`" in TEXT


# ---------------------------------------------------------------------------------------------- sections


def test_every_section_the_code_cites_is_in_the_document():
    cited = set()
    for package in ("drivers", "firmware_sim"):
        for path in (ROOT / package).rglob("*.py"):
            cited |= set(re.findall(r"[( ,]((?:2|4)\.[1-9]\d*|1\.[78])(?:\.\d)?[ ,):;A-Z]", path.read_text()))

    assert cited
    for section in cited:
        assert re.search(
            rf"^(###|- \*\*){'' if section[0] == '4' else ' '}{re.escape(section)} ", TEXT, re.MULTILINE
        ), section
