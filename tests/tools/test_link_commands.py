"""R-28: `pozo key` and `pozo peer`, and `vecino` and `disputa` at the console: whose key a node takes, by two persons."""

import stat
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from controller.cli.keys import key
from controller.cli.peers import peer
from controller.core import inputs as ask
from controller.core.values import Broken, Mark, Side
from controller.ctl.intent import Misspoken, OrderPlace, make
from controller.ctl.orders import BY_NAME
from controller.node.book.chain import KeyRefused
from controller.node.book.link_key import LinkKey, link_key_of, next_link_key_of
from controller.node.vocabulary.fingerprint import fingerprint_of
from controller.node.vocabulary.protocol import NeighbourNow, StoppedNow
from controller.rules.document import DocumentError
from support.node import ctl_engine
from support.node.ctl_engine import PINS
from support.node.node_settings_cases import GOOD, write

KEY = "ab" * 32
PRINT = fingerprint_of(KEY)
OTHER = "-".join(["0000", *PRINT.split("-")[1:]])


def config(folder, name="nodo1", fingerprint=PRINT, side="below"):
    """The settings of the node of ctl_engine, with a neighbour."""
    address = 'address = "tcp://10.0.0.9:7071"\n' if side == "above" else ""
    listen = '[link]\nlisten = "tcp://127.0.0.1:7071"\n' if side == "below" else ""
    neighbour = (
        f'[[neighbour]]\nname = "caja-1"\nside = "{side}"\ninside = true\n{address}fingerprint = "{fingerprint}"\n'
    )
    text = GOOD.replace('name = "central"', f'name = "{name}"', 1)
    text = text.replace("/var/lib/pozo/central", str(folder)).replace("/run/pozo/central", str(folder / "ctl"))
    return write(folder, text + listen + neighbour)


def run(command, *words, **environment):
    return CliRunner().invoke(command, [str(word) for word in words], env=environment, catch_exceptions=False)


# pozo key


def test_r28_a_key_is_made_shown_and_never_written_over(tmp_path):
    settings = config(tmp_path)
    made = run(key, "new", settings)
    public = LinkKey.load(link_key_of(tmp_path)).public.hex()

    assert made.exit_code == 0
    assert made.stdout == f"llave  {public}\nhuella {fingerprint_of(public)}\n" == run(key, "show", settings).stdout
    assert stat.S_IMODE(link_key_of(tmp_path).stat().st_mode) == 0o600
    secret = LinkKey.load(link_key_of(tmp_path)).secret.hex()
    assert secret not in made.output

    second = run(key, "new", settings)
    assert LinkKey.load(link_key_of(tmp_path)).public.hex() == public
    waiting = LinkKey.load(next_link_key_of(tmp_path)).public.hex()
    assert waiting in second.stdout and "pozo peer add" in second.stderr
    assert run(key, "show", "--next", settings).stdout == second.stdout
    with pytest.raises(KeyRefused, match="ya espera una llave nueva"):
        run(key, "new", settings)

    assert waiting in run(key, "rotate", settings).stdout
    assert LinkKey.load(link_key_of(tmp_path)).public.hex() == waiting
    assert not next_link_key_of(tmp_path).exists()


@pytest.mark.parametrize("words", [("show",), ("show", "--next"), ("rotate",)])
def test_r28_a_key_that_is_not_there_is_said_with_how_it_is_made(tmp_path, words):
    with pytest.raises(KeyRefused, match="pozo key new"):
        run(key, *words, config(tmp_path))


def test_r28_settings_that_cannot_be_read_are_said(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text("name = 7\n")
    with pytest.raises(DocumentError, match="name: debe ser un texto"):
        run(key, "show", path)


# pozo peer


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


SIGNED = {"POZO_POR": "ana", "POZO_PIN": PINS["ana"], "POZO_SEGUNDO": "jefa", "POZO_PIN2": PINS["jefa"]}


@pytest.mark.process
@pytest.mark.parametrize("form", ["digits", "capitals", "file"])
def test_r28_two_who_heard_the_same_pin_a_key(node, tmp_path, form):
    settings = config(tmp_path)
    file = tmp_path / "caja-1.pub"
    file.write_text(f"llave  {KEY}\nhuella {PRINT}\n")
    given = {"digits": KEY, "capitals": KEY.upper(), "file": str(file)}[form]
    done = run(peer, "add", settings, "caja-1", given, "--heard", PRINT, "--heard", PRINT.upper(), **SIGNED)

    assert done.exit_code == 0, done.output
    known = node.book.state.neighbours["caja-1"]
    assert (known.key, known.side, known.inside) == (KEY, Side.BELOW, True)

    gone = run(peer, "revoke", settings, "caja-1", "--reason", "la robaron", **SIGNED)
    assert gone.exit_code == 0, gone.output
    assert node.book.state.neighbours["caja-1"].revoked


@pytest.mark.process
def test_r28_at_a_terminal_each_of_both_is_asked_what_he_heard(node, tmp_path):
    settings = config(tmp_path)
    typed = f"{PRINT}\n{PRINT.replace('-', ' ')}\n"
    done = CliRunner().invoke(peer, ["add", str(settings), "caja-1", KEY], input=typed, env=SIGNED)

    assert done.exit_code == 0, done.output
    assert "persona 1" in done.stderr and "persona 2" in done.stderr
    assert done.stderr.count(PRINT) == 1, "what was typed, and nothing else"
    assert "caja-1" in node.book.state.neighbours


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("caja-1", KEY, "--heard", PRINT, "--heard", OTHER), "la persona 2: el grupo 1 no es de esta llave"),
        (("caja-1", KEY, "--heard", OTHER, "--heard", OTHER), "la persona 1: el grupo 1"),
        (("caja-1", KEY, "--heard", "hola", "--heard", PRINT), "una huella son 8 grupos"),
        (("caja-1", KEY, "--heard", PRINT), "--heard va dos veces"),
        (("caja-1", "cd" * 32, "--heard", PRINT, "--heard", PRINT), "no es la de esta llave"),
        (("caja-1", "cd" * 31), "ni 64 cifras hexadecimales, ni un archivo"),
        (("caja-2", KEY), "no hay un [[neighbour]] caja-2; hay: caja-1"),
    ],
)
def test_r28_whatever_does_not_fit_is_one_line_and_nothing_is_asked(node, tmp_path, words, said):
    asked = len(node.asked)
    done = run(peer, "add", config(tmp_path), *words, **SIGNED)

    assert done.exit_code == 1 and done.stderr.startswith("pozo: ") and done.stderr.count("\n") == 1
    assert said in done.stderr and "Traceback" not in done.output
    assert len(node.asked) == asked and not node.book.state.neighbours


@pytest.mark.process
def test_r28_a_file_with_two_keys_is_none(node, tmp_path):
    file = tmp_path / "dos"
    file.write_text(f"{KEY}\n{'cd' * 32}\n")

    assert "tiene 2 llaves" in run(peer, "add", config(tmp_path), "caja-1", file, **SIGNED).stderr
    assert not node.book.state.neighbours


@pytest.mark.process
def test_r28_the_core_s_no_is_said_with_its_rule(node, tmp_path):
    chiefs = {**SIGNED, "POZO_POR": "jefe", "POZO_PIN": PINS["jefe"]}
    done = run(peer, "add", config(tmp_path), "caja-1", KEY, "--heard", PRINT, "--heard", PRINT, **chiefs)

    assert (done.exit_code, done.stdout, "(R-27)" in done.stderr or "(R-36)" in done.stderr) == (1, "", True), (
        done.stderr
    )
    assert not node.book.state.neighbours
    nobody = run(peer, "revoke", config(tmp_path), "x", "--reason", "y", **SIGNED)
    assert (nobody.exit_code, nobody.stderr.startswith("x no es un vecino")) == (1, True)


@pytest.mark.process
def test_r28_whose_keys_are_taken_is_listed_beside_the_settings(node, tmp_path):
    settings = config(tmp_path)
    assert run(peer, "list", settings).stdout == "caja-1: sin fijar: dos personas la fijan con pozo peer add\n"
    run(peer, "add", settings, "caja-1", KEY, "--heard", PRINT, "--heard", PRINT, **SIGNED)
    assert run(peer, "list", settings).stdout == f"caja-1: {PRINT}, sin enlace\n"
    other = config(tmp_path, fingerprint=OTHER)
    assert run(peer, "list", other).stdout == f"caja-1: {PRINT}, sin enlace; la configuración dice otra huella\n"

    run(peer, "revoke", settings, "caja-1", "--reason", "x", **SIGNED)
    assert "REVOCADO" in run(peer, "list", settings).stdout
    bare = write(tmp_path, other.read_text().split("[link]")[0])
    assert "no está en la configuración" in run(peer, "list", bare).stdout


@pytest.mark.process
def test_r28_without_a_node_it_is_said(tmp_path):
    assert "no hay ningún nodo en marcha" in run(peer, "list", config(tmp_path)).stderr
    done = run(peer, "revoke", config(tmp_path), "caja-1", "--reason", "x", **SIGNED)

    assert (done.exit_code, "no hay ningún nodo en marcha" in done.stderr) == (1, True)


# pozo ctl vecino, pozo ctl disputa


def intent(name, *words):
    return make(BY_NAME[name], OrderPlace("", None), words)


@pytest.mark.parametrize(
    ("words", "side", "inside"),
    [("arriba", Side.ABOVE, False), ("abajo-casa", Side.BELOW, True)],
)
def test_r28_a_key_is_pinned_at_the_console_with_what_was_heard(words, side, inside):
    wanted = intent("vecino", "fijar", "caja-1", words, KEY.upper(), *PRINT.split("-"))

    assert wanted.two
    assert (wanted.input.neighbour, wanted.input.side, wanted.input.inside, wanted.input.key) == (
        "caja-1", side, inside, KEY,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fijar", "caja-1", "abajo", KEY, OTHER), "el grupo 1 no es de esta llave"),
        (("fijar", "caja-1", "al-lado", KEY, PRINT), "arriba, abajo, arriba-casa, abajo-casa"),
        (("fijar", "caja-1", "abajo", KEY[1:], PRINT), "64 cifras"),
        (("fijar", "caja-1", "abajo"), "vecino fijar NOMBRE LADO LLAVE HUELLA"),
        (("borrar", "caja-1", "x"), "vecino revocar NOMBRE MOTIVO"),
        (("revocar", "caja-1"), "Se escribe: vecino"),
    ],
)
def test_r28_what_cannot_be_understood_of_a_neighbour_is_one_sentence(words, said):
    with pytest.raises(Misspoken, match=said):
        intent("vecino", *words)


HERE, SAID = Mark(1, 100, "cd" * 32), Mark(2, 90, "ef" * 32)


def with_stops(*stops):
    """What the console knows of a neighbour that is stopped."""
    view = SimpleNamespace(neighbours=(NeighbourNow("caja-1", Side.BELOW, up=True, since=0, stopped=stops),))
    return lambda *words: make(BY_NAME["vecino"], OrderPlace("", view), words)


def test_r28_two_accept_what_the_list_shows_or_where_it_stood_here():
    said = with_stops(StoppedNow("to:nodo1", Broken.FOREIGN_EPOCH, SAID, HERE))
    accepted, goes_on = (said(act, "caja-1", "to:nodo1", "lo", "vimos") for act in ("aceptar", "seguir"))

    assert (accepted.input.mark, accepted.input.reason, accepted.two) == (SAID, "lo vimos", True)
    assert accepted.told == (
        "caja-1 se oye otra vez en to:nodo1 desde 2/90/efefefefefefefef. Aquí se oyó hasta 1/100/cdcdcdcdcdcdcdcd."
    )
    assert (goes_on.input.mark, goes_on.told) == (
        HERE,
        "caja-1 se oye otra vez en to:nodo1 desde 1/100/cdcdcdcdcdcdcdcd.",
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("aceptar", "caja-1", "to:nodo1"), "detenidas: mirror"),
        (("aceptar", "caja-1", "mirror"), "vecino aceptar NOMBRE SERIE MOTIVO"),
        (("aceptar", "caja-2", "mirror", "x"), "detenidas: ninguna"),
        (("seguir", "caja-1", "mirror", "x"), "no se oyó nunca"),
    ],
)
def test_r28_what_is_not_stopped_is_not_accepted(words, said):
    with pytest.raises(Misspoken, match=said):
        with_stops(StoppedNow("mirror", Broken.FORK, SAID))(*words)


def test_r28_a_neighbour_is_revoked_and_a_dispute_ended_by_two():
    revoked, left = intent("vecino", "revocar", "caja-1", "la", "robaron"), intent("disputa", "dejar", "caja-1/7", "no")
    taken = intent("disputa", "tomar", "hub/grande/7", "lo", "vimos")

    assert revoked.two and left.two and taken.two
    assert (revoked.input.neighbour, revoked.input.reason) == ("caja-1", "la robaron")
    assert (left.input.neighbour, left.input.number, left.input.accepted, left.input.pot) == ("caja-1", 7, False, "")
    assert (taken.input.number, taken.input.accepted, taken.input.pot) == (7, True, "grande")
    assert isinstance(taken.input, ask.EndDispute)


@pytest.mark.parametrize(
    "words", [("mirar", "a/1", "x"), ("tomar", "1", "x"), ("tomar", "a/b/c/1", "x"), ("tomar", "a/x", "x")]
)
def test_r28_what_cannot_be_understood_of_a_dispute_is_one_sentence(words):
    with pytest.raises(Misspoken):
        intent("disputa", *words)


def test_r28_a_share_and_an_owner_who_is_left_are_ordered_by_two():
    given = make(
        BY_NAME["traspasar"], OrderPlace("", SimpleNamespace()), ("grande", "main", "parte:sol", "5", "Res. 9")
    )
    left = intent("dejar-pozo", "grande", "Res.", "9")

    assert (given.input.source, given.input.target, given.two) == ("main", "share:sol", True)
    assert (left.input.pot, left.input.resolution, left.two) == ("grande", "Res. 9", True)
