"""What a member of the node's group says at its door: octets to our end of ZMTP, and messages to what reads them.

Theory and form: campaign/fuzz_targets.py. The first byte says whose end hears it, and whether a good handshake stood before.
"""

import msgspec

from campaign.fuzz_targets import Target, pieces
from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.node.control.bounds import SHORT
from controller.node.control.client import asking, doing
from controller.node.control.door import DEEDS, INPUTS, read
from controller.node.control.link import _subscription
from controller.node.control.zmtp import (
    Courtesy,
    Event,
    Message,
    MessageLimits,
    NotSpoken,
    Subscription,
    Talk,
    frame,
    framed,
    opening,
    subscribed,
)
from controller.node.vocabulary.protocol import MOST_BYTES, Deed, Pin, Reply

_SHAKEN, _GROWN = 0x80, 0x80
_WORDS = (
    "", "DP-01", "ana", "x", "full", "As", "Kd", "2026-11-19", "0" * 32, "0" * 64, "croupier", "seat", "claimed", "cards",
    "acts", "person", "main", "123456",
)  # fmt: skip
_ENDS = (
    (frozenset({b"DEALER", b"REQ"}), MessageLimits(2 * MOST_BYTES, 8), b"DEALER"),
    (frozenset({b"SUB", b"XSUB"}), MessageLimits(256, 8), b"SUB"),
    (frozenset({b"ROUTER"}), MessageLimits(2**24, 8), b"ROUTER"),
    (frozenset({b"XPUB", b"PUB"}), MessageLimits(64, 2), b"XPUB"),
)
"""The node's two sockets, and the client's; who may stand at the other end, and who does."""
_MOST_SAID = 32  # octets that one event makes us say
_MOST_REFUSAL = 3 * SHORT


def zmtp_talk(data: bytes) -> None:
    """Any cut of the same octets gives the same events; nothing is more than was said, or than is taken."""
    if len(data) < 2:
        return
    partners, limits, kind = _ENDS[data[0] & 3]
    said = data[1:]
    before = opening(kind) if data[0] & _SHAKEN else b""
    events = _heard(Talk(partners, limits), [before + said[1:]], limits)
    assert _heard(Talk(partners, limits), pieces(said[:1] + before + said[1:]), limits) == events
    for event in events:
        if isinstance(event, Message):
            assert all(part in said for part in event.parts)
            again = _heard(Talk(partners, limits), [opening(kind) + framed(event.parts)], limits)
            assert again == [Courtesy(), event]
        if isinstance(event, Message | Subscription):
            wanted = _subscription(event)
            assert wanted is None or len(wanted.topic) <= len(said)


def _heard(talk: Talk, octets: list[bytes], limits: MessageLimits) -> list[Event]:
    """Its events, up to what is not spoken here."""
    events: list[Event] = []
    came = 0
    try:
        for piece in filter(None, octets):
            came += len(piece)
            talk.hear(piece)
            talk.large(SHORT)
            while (event := talk.read()) is not None:
                events.append(event)
                assert len(talk.to_say) <= _MOST_SAID
                talk.to_say = b""
                if isinstance(event, Message):
                    assert 0 < len(event.parts) <= limits.parts
                    assert sum(map(len, event.parts)) <= limits.octets
            assert talk.waiting <= came
    except NotSpoken:
        pass
    return events


def control_request(data: bytes) -> None:
    """A request that is understood can be signed and kept; of any other the refusal is short. Octets are seldom JSON, so
    the first byte may ask for a request of a kind that there is, with fields that the other octets choose."""
    if not data:
        return
    order = read(_Grown(data[1:]).request() if data[0] & _GROWN else data[1:])
    if isinstance(order, Reply):
        assert order.trouble is not None and not order.ok
        assert len(msgspec.json.encode(order)) <= _MOST_REFUSAL
        return
    assert msgspec.json.decode(order.covered) is not None
    asked, signatures = order.signed(by=True, second=True)
    if asked is None:
        assert all(one.verified for one in signatures)
    else:
        assert msgspec.json.decode(msgspec.json.encode(asked), type=type(asked)) == asked


class _Grown:
    """A request made of octets: what each stands for follows from those before it."""

    def __init__(self, octets: bytes) -> None:
        self._octets = iter(octets)

    def request(self) -> bytes:
        made: dict[str, object] = {"v": 2, "id": "0" * 32, "by": {"person": "ana"}}
        if self._one() & 1:
            made["second"] = {"person": "luis"}
        if self._one() & 1:
            deed = [*DEEDS][self._one() % len(DEEDS)]
            made |= {"do": deed, **{name: self._value(2) for name in DEEDS[deed]}}
        else:
            kind = INPUTS[[*INPUTS][self._one() % len(INPUTS)]]
            names = set(kind.__struct_fields__) - {"by", "second"}
            made["ask"] = {"ask": kind.__struct_config__.tag, **{name: self._value(3) for name in sorted(names)}}
        return msgspec.json.encode(made)

    def _one(self) -> int:
        return next(self._octets, 0)

    def _value(self, deeper: int) -> object:
        how = self._one()
        match how & 7:
            case 0 | 1:
                return how >> 3
            case 2:
                return (1 << how) - 1 if how & 8 else -(how >> 4)
            case 3 | 4:
                return _WORDS[self._one() % len(_WORDS)]
            case 5:
                return bytes(self._one() for _ in range(how >> 3)).decode("latin-1")
            case 6 if deeper:
                return [self._value(deeper - 1) for _ in range(how >> 5)]
            case 7 if deeper:
                return {_WORDS[self._one() % len(_WORDS)]: self._value(deeper - 1) for _ in range(how >> 5)}
            case _:
                return (None, True, False)[how % 3]


# ---------------------------------------------------------------------------------------------- good beginnings

_ANA, _LUIS = Pin("ana", ""), Pin("luis", "")
_ASKED = (
    ask.BuyCredits("DP-01", 3, 20, Signature("")),
    ask.RegisterClaim("DP-01", (Hand(3, claimed="full"),), Signature("")),
    ask.VoidHand("DP-01", 3, "x", Signature("")),
    ask.StagePlan('[pot]\nname = "x"', "name = 'y'", Signature(""), Signature("")),
    ask.UnlockPerson("carla", Signature("")),
)
_DONE = (
    doing(Deed.STATE), doing(Deed.SALTS, people=("ana", "luis")), doing(Deed.FACTS, since=7),
    doing(Deed.OPEN_DAY, _ANA, day="2026-11-19"), doing(Deed.UNLOCK, _ANA, table="DP-01"),
    doing(Deed.ENROL, _ANA, _LUIS, person="eva", name="Eva", roles=("croupier",), known=True),
)  # fmt: skip
_BODIES = [msgspec.json.encode(one.request) for one in (*(asking(one, _ANA, _LUIS) for one in _ASKED), *_DONE)]
_TALKS = (
    framed([b"", b"{}"]), framed([b"x" * 300]), framed([b"a", b"", b"c"]), subscribed(b"state"),
    frame(b"\x09SUBSCRIBEfact", 4), frame(b"\x06CANCELfact", 4), frame(b"\x04PING\0\1context", 4),
)  # fmt: skip

DOOR = (
    Target("zmtp_talk", zmtp_talk, (
        *(bytes((0x80 | end, 5)) + said for end in range(4) for said in _TALKS),
        *(bytes((end, 9)) + opening(_ENDS[end][2]) + _TALKS[0] for end in range(4)),
    ), 400),
    Target("control_request", control_request, (
        *(b"\0" + body for body in _BODIES),
        *(bytes((_GROWN, 0, 0, kind, *range(40))) for kind in range(len(INPUTS))),
        *(bytes((_GROWN, 1, 1, deed, *range(3, 40))) for deed in range(len(DEEDS))),
    ), 600),
)  # fmt: skip
