"""JSON Lines in, JSON Lines out: one answer for each line, good or bad, in the same order.

Theory. A line is bytes until it has been read strictly into a typed form. A line that is wrong becomes
one `LineError`, which names the place and the rule, is written as the answer of that line, and costs the
other lines nothing. Only one chunk of input and one answer are held at a time, so a million lines need no
more memory than one; a line longer than MOST_BYTES is answered and dropped without being held.
Answers are flushed whenever the input has to be waited for, so a program can hold a conversation.

This file must not know what the lines mean.
"""

import json
import re
from collections.abc import Callable, Iterable
from io import BufferedIOBase
from typing import Annotated, Any, BinaryIO, TypeVar

import msgspec
from msgspec import Meta

from controller.rules.document import printable
from controller.rules.money import MOST_MONEY
from controller.rules.pot import first_name_taken
from controller.rules.refusal import Refusal

MOST_BYTES = 8 * 2**20
_CHUNK = 2**18
_MOST_ID = 256

# What lines of several commands are made of.
Amount = Annotated[int, Meta(ge=0, le=MOST_MONEY)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
LineId = Annotated[str, Meta(max_length=_MOST_ID)] | Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]

Line = TypeVar("Line")
Answer = Callable[[bytes], Iterable[bytes]]

_UNREADABLE = "R-27"
"""What cannot be read, or says more than its form knows, cannot stand on record."""


class LineError(Exception):
    """One thing that is wrong with a line; `place` is the path of the value in it."""

    def __init__(self, code: str, message: str, rule: str, place: str) -> None:
        super().__init__(message)
        self.code, self.message, self.rule, self.place = code, message, rule, place

    @classmethod
    def from_refusal(cls, refusal: Refusal) -> "LineError":
        return cls(refusal.reason.code, refusal.message, refusal.reason.rule, refusal.where)


def answer_all(source: BinaryIO, sink: BinaryIO, answer: Answer) -> bool:
    """Answer every line of the source; True if none was an error."""
    all_good = True
    pending: list[bytes] = []
    held = 0
    while chunk := _read(source):
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            if held + len(piece) <= MOST_BYTES:
                all_good &= _answer_one(b"".join((*pending, piece)), sink, answer)
            else:
                all_good &= _too_long(sink)
            pending, held = [], 0
        held += len(rest)
        if held > MOST_BYTES:
            pending = []
        elif rest:
            pending.append(rest)
        sink.flush()
    if held:
        all_good &= _answer_one(b"".join(pending), sink, answer) if held <= MOST_BYTES else _too_long(sink)
    sink.flush()
    return all_good


def _read(source: BinaryIO) -> bytes:
    """What there is to read by now, and at least something unless the input has ended."""
    assert isinstance(source, BufferedIOBase)
    return source.read1(_CHUNK)


def _answer_one(line: bytes, sink: BinaryIO, answer: Answer) -> bool:
    try:
        sink.writelines(answer(line))
    except LineError as error:
        sink.write(_error_line(_salvaged_id(line), error))
        return False
    return True


def _too_long(sink: BinaryIO) -> bool:
    limit = MOST_BYTES // 2**20
    error = LineError("line_too_long", f"La línea pasa de {limit} MiB y no se lee.", _UNREADABLE, "line")
    sink.write(_error_line(None, error))
    return False


def _error_line(id_: object, error: LineError) -> bytes:
    shown = {"code": error.code, "message": error.message, "rule": error.rule, "where": error.place}
    return msgspec.json.encode({"id": id_, "error": shown}) + b"\n"


_ID_FIRST = re.compile(rb'\s*\{\s*"id"\s*:\s*("(?:[^"\\\x00-\x1f]|\\.){0,1024}"|-?[0-9]{1,18})\s*[,}]')


class _OnlyId(msgspec.Struct):
    id: Any = None


def _salvaged_id(line: bytes) -> str | int | None:
    """The id of a line that could not be answered, so that its sender finds it; None if it has none to be read."""
    try:
        found = msgspec.json.decode(line, type=_OnlyId).id
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        first = _ID_FIRST.match(line)
        try:
            found = msgspec.json.decode(first[1]) if first else None
        except (msgspec.MsgspecError, UnicodeDecodeError):
            found = None
    fits = (isinstance(found, str) and len(found) <= _MOST_ID) or (type(found) is int and -(2**63) <= found < 2**63)
    return found if fits else None


# What msgspec says when it refuses, the code it becomes, and the words for it.
_REFUSED: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), code, message)
    for pattern, code, message in (
        (r"Object missing required field `(.*)`", "missing_key", "Falta la clave {0}."),
        (r"Object contains unknown field `(.*)`", "unknown_key", "La clave {0} no se conoce aquí."),
        (r"Expected `(int|str)` ([<>]=) (.*)", "out_of_range", "El valor debe ser {1} {2}."),
        (r"Expected `str` of length (.*)", "out_of_range", "El texto debe tener un largo {0}."),
        (r"Expected `(?:array|object)` of length (.*)", "out_of_range", "La lista debe tener un largo {0}."),
        (r"Integer value out of range", "out_of_range", "El número es demasiado grande."),
        (r"Expected `(.*)`, got `float`", "not_whole", "Debe ser un número entero, no uno con decimales o exponente."),
        (r"Expected `(.*)`, got `(.*)`", "wrong_type", "Se esperaba {0} y llegó {1}."),
        (r"Invalid enum value (.*)", "unknown_value", "El valor {0} no se conoce aquí."),
    )
)


def read_line(line: bytes, decoder: msgspec.json.Decoder[Line], rules: dict[str, str]) -> Line:
    """A line in its typed form; `rules` says which rule a key rests on."""
    try:
        read = decoder.decode(line)
        _repeated_keys.decode(line.decode())
    except msgspec.ValidationError as error:
        raise _line_error(str(error), rules) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        at = re.search(r"byte (\d+)", str(error))
        where = f" (byte {at[1]})" if at else ""
        raise LineError("bad_json", f"No es una línea JSON en UTF-8{where}.", _UNREADABLE, "line") from None
    return read


def refuse_names_taken(names: list[str], places: list[str]) -> None:
    """R-24: each reserve has a name of its own; `places` says where each name stands."""
    at = first_name_taken(names)
    if at is not None:
        message = f"El nombre {names[at]} ya está tomado; cada reserva tiene el suyo."
        raise LineError("name_taken", message, "R-24", places[at])


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> None:
    """Two values for one key are two records in one; JSON readers differ in which they believe."""
    if len(dict(pairs)) != len(pairs):
        seen: set[str] = set()
        for twice, _ in pairs:
            if twice in seen:
                raise LineError(
                    "repeated_key", f"La clave {printable(twice)} aparece dos veces.", _UNREADABLE, printable(twice)
                )
            seen.add(twice)


_repeated_keys = json.JSONDecoder(object_pairs_hook=_refuse_repeated_keys)


# A stranger controls the keys that msgspec quotes, and may make one look like a place; so a place is only what
# msgspec itself can write, and never long.
_PLACE = re.compile(
    r"(?P<what>.*) - at (?:`key` in )?`\$(?P<place>(?:\.?[a-z_]{1,20}|\[\d{1,9}\]|\[\.\.\.\]){0,8})`", re.DOTALL
)


def _line_error(sentence: str, rules: dict[str, str]) -> LineError:
    """What msgspec says in English, as an error of ours: its code, its words, its place and rule."""
    found = _PLACE.fullmatch(sentence)
    what, place = (found["what"], found["place"].removeprefix(".").removesuffix("[...]")) if found else (sentence, "")
    for pattern, code, message in _REFUSED:
        said = pattern.fullmatch(what)
        if said:
            words = [_KINDS.get(word, printable(word)) for word in said.groups()]
            if code in ("missing_key", "unknown_key"):
                place = f"{place}.{words[0]}" if place else words[0]
            key = re.sub(r"\[[^\]]*\]", "", place).rpartition(".")[2]
            return LineError(code, message.format(*words), rules.get(key, _UNREADABLE), place or "line")
    return LineError("wrong_value", printable(what), _UNREADABLE, place or "line")


_KINDS = {
    "int": "un número entero",
    "float": "un número con decimales",
    "str": "un texto",
    "bool": "true o false",
    "object": "un objeto",
    "array": "una lista",
    "null": "null",
}
