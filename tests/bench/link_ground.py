"""The owner of a shared pot and the casinos that feed it, for the benches of the links: founded, introduced, running.

The owner has no table. Each casino is a house as in house.py, whose tables feed the owner's pot. Keys are pinned and the plan is
staged in the records before any daemon starts, because what is timed is not the introduction.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from bench.house import PLAN, PLAN_TABLE, founded_there, hear_all, started, tables_of
from controller.core import inputs as ask
from controller.core.facts import Refused
from controller.core.values import Side, Signature
from controller.node.book.book import Asked, Book, key_of, record_of
from controller.node.book.chain import Key
from controller.node.book.link_key import LinkKey
from controller.node.settings.settings import read_node
from controller.node.store.rows import OutcomeKey
from controller.node.vocabulary import places
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.play.cable import LOOPBACK
from support.node.node_process import START, Running

OWNER, POT = "norte", "pozo"
_TWO = Signature("ana"), Signature("luis")
_HEAD = """
name = "{name}"
folder = "folder"
control = "control"
[[plan]]
file = "plan.toml"
signless = true
"""
_LISTENS = """
[link]
listen = "tcp://{host}:{port}"
"""
_BELOW = """
[[neighbour]]
name = "{name}"
side = "below"
fingerprint = "{said}"
"""
_ABOVE = """
[[neighbour]]
name = "norte"
side = "above"
address = "tcp://{host}:{port}"
fingerprint = "{said}"
"""


def shared_plan(casinos: Mapping[str, Iterable[str]]) -> str:
    """Of one pot, with the tables of each casino."""
    rows = (
        PLAN_TABLE.format(name=table).replace('"central"', f'"{casino}"') + f'node = "{casino}"\n'
        for casino, tables in casinos.items()
        for table in tables
    )
    return PLAN.replace("commission_ppm", 'registration = "Reg. 1"\ncommission_ppm', 1) + "".join(rows)


def link_key(place: Path) -> str:
    """The public half, in hexadecimal."""
    (place / "folder").mkdir(mode=0o700, exist_ok=True, parents=True)
    return LinkKey.load_or_make(place / "folder").public.hex()


def _taken(book: Book, *asked: ask.Input) -> None:
    """What two persons decided before the node was started."""
    asks = [Asked(OutcomeKey(f"{book.state.node}/bench", 1, number), START, one) for number, one in enumerate(asked, 1)]
    for answer in book.take(asks):
        wrong = [fact for fact in answer.facts if isinstance(fact, Refused)]
        assert not wrong, wrong
    book.checkpoint()


def owner_founded(place: Path, port: int, plan: str, keys: Mapping[str, str], record: str = "") -> None:
    """Who owns the pot and listens; `keys`: of each casino, public, in hexadecimal; `record`: of a database, if it is to
    be there."""
    lines = [_HEAD.format(name=OWNER), _LISTENS.format(host=LOOPBACK, port=port)]
    lines += (_BELOW.format(name=name, said=fingerprint_of(key)) for name, key in keys.items())
    place.mkdir(exist_ok=True)
    (place / "node.toml").write_text("".join(lines))
    (place / "plan.toml").write_text(plan)
    link_key(place)
    settings = read_node(place / "node.toml")
    pins = [ask.PinNeighbour(name, Side.BELOW, key, *_TWO) for name, key in keys.items()]
    documents = settings.plans[0].documents
    key = Key.load_or_make(key_of(settings.folder))
    administrators = _TWO[0].person, _TWO[1].person
    with closing(Book.create(record or record_of(settings.folder), key, OWNER, administrators, START)) as book:
        _taken(book, *pins, ask.StagePlan(documents.plan, documents.ruleset, *_TWO))


@contextmanager
def owner_running(
    place: Path, *, pencil: bool = False, hear: Callable[[str], object] = len, record: str = ""
) -> Iterator[Running]:
    """The owner's daemon; `hear` takes what its pencil says."""
    with started(place, pencil=pencil, record=record) as running:
        process = running.process
        assert process.stdout is not None and process.stderr is not None
        for stream, listener in ((process.stdout, hear), (process.stderr, len)):
            threading.Thread(target=hear_all, args=(stream, listener), daemon=True).start()
        running.ready()
        yield running


class Casino:
    """How a casino of the shared pot is founded: what `house.Node` wants to know."""

    def __init__(self, name: str, port: int, plan: str, owner: str) -> None:
        self.name, self._port, self._plan, self._owner = name, port, plan, owner

    def __call__(self, place: Path, shapes: Sequence[str], ports: Sequence[str] = ()) -> places.Node:
        above = _ABOVE.format(host=LOOPBACK, port=self._port, said=fingerprint_of(self._owner))
        lines = _HEAD.format(name=self.name) + above + tables_of(place, shapes, ports)
        settings = founded_there(place, lines, self._plan)
        with closing(Book.open(record_of(settings.folder), Key.load_or_make(key_of(settings.folder)))) as book:
            _taken(book, ask.PinNeighbour(OWNER, Side.ABOVE, self._owner, *_TWO))
        return settings
