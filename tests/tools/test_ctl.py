"""`pozo ctl`: one command at a time, as a script or a hurried person gives it."""

import hashlib
import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from controller.ctl import command
from controller.ctl.command import ctl
from controller.ctl.house_words import OF_THE_HOUSE
from controller.ctl.intent import Misspoken, OrderPlace, make
from controller.ctl.orders import ORDERS
from controller.ctl.words import state_lines
from controller.node.control.client import Client, asking
from support.core import book_cases
from support.core.points import point_of
from support.laws import as_own, naming
from support.node import ctl_engine
from support.node.ctl_engine import PINS, signs

pytestmark = pytest.mark.process


@pytest.fixture
def node(tmp_path):
    with ctl_engine.running(tmp_path) as node:
        yield node


@pytest.fixture
def pozo(node):
    def run(*words, by="carla", second=None, **environment):
        who = {"POZO_POR": by, "POZO_PIN": PINS[by]} if by else {}
        if second:
            who |= {"POZO_SEGUNDO": second, "POZO_PIN2": PINS[second]}
        return CliRunner().invoke(ctl, ["--node", str(node.control_folder), *words], env={**who, **environment})

    return run


def done(result):
    assert result.exit_code == 0, result.output
    return result.output


def test_r20_whoever_looks_first_sees_the_amounts_with_their_rules_and_nothing_is_done(node, pozo):
    done(pozo("abrir", "M1"))
    for seat in (1, 3):
        done(pozo("creditos", "M1", str(seat), "10"))
        node.during(lambda seat=seat: node.press("M1", seat, 4))
    done(pozo("cerrar", "M1"))
    node.during(lambda: node.prove("M1"))
    before = node.book.seq

    told = done(pozo("manos", "M1", "3: full; 1: Ap Kp Qp Jp 10p", "--ver"))

    assert "Mesa M1, pase 1: esto se haría; todavía no se hizo nada." in told
    assert "1. posición 3: Full, $ 200.000 (R-11, R-14)" in told
    assert "paga 100 x; apostó $ 2.000" in told
    assert "2. posición 1: Escalera Real, $ " in told and "paga 100 %; apostó $ 2.000" in told
    assert "El pozo pasaría de $ 5.00" in told
    assert node.book.seq == before

    done(pozo("manos", "M1", "3: full; 1: color"))
    told = done(pozo("confirmar", "M1/1/1/1", "--ver", by="jefe"))
    assert "posición 1: Color, $ 100.000" in told and "dos personas" not in told
    told = done(pozo("corregir", "M1", "1", "3: full; 2: retirado", "--ver", "--motivo", "otra"))
    assert "premio M1/1/1/1: se anula, no se paga" in told and "Esto lo firman dos personas." in told
    told = done(pozo("anular-mano", "M1", "1", "cartas", "--ver"))
    assert "posición 1: vuelven $ 2.000 de su apuesta" in told
    told = done(pozo("creditos", "M2", "1", "4", "--ver"))
    assert "posición 1: quedaría con 4 créditos" in told
    assert pozo("manos", "M1", "6: full", "--ver").exit_code == 1
    assert pozo("abrir", "M1", "--ver").exit_code == 2
    assert json.loads(done(pozo("creditos", "M2", "1", "4", "--ver", "--json")))["preview"]["seats"][0]["credits"] == 4


def test_a_pass_from_open_to_paid(node, pozo):
    assert "pase 1 abierto" in done(pozo("abrir", "M1"))
    done(pozo("creditos", "M1", "1", "10"))
    done(pozo("creditos", "M1", "3", "10"))
    node.during(lambda: node.press("M1", 1, 4))
    node.during(lambda: node.press("M1", 3, 4))
    assert "no más apuestas" in done(pozo("cerrar", "M1"))
    node.during(lambda: node.prove("M1"))
    told = done(pozo("manos", "M1", "3: full; 1: Ap Kp Qp Jp 10p"))
    assert "(premio M1/1/1/1)" in told
    assert told.index("3: Full, $ 200.000") < told.index("1: Escalera Real")
    assert "A♠ K♠ Q♠ J♠ 10♠" in told
    assert "confirmado" in done(pozo("confirmar", "M1/1/1/1", by="jefe"))
    assert "pague $ 200.000" in done(pozo("pagar", "M1/1/1/1"))
    assert pozo("rechazar", "M1/7/1", "mal", "visto", by="jefe", second="jefa").exit_code == 1
    assert "pase 2 abierto" in done(pozo("abrir", "M1"))
    state = done(pozo("estado", "M1", by=None))
    assert "mesa M1: ABIERTA · pase 2" in state
    assert "M1/1/1/2 · posición 1 · Escalera Real" in state


def test_a_refusal_is_one_sentence_with_its_rule_and_exit_code_1(pozo):
    result = pozo("cerrar", "M1")

    assert result.exit_code == 1
    assert result.stderr == "La mesa M1 no está abierta a apuestas. (R-5)\n"


def test_r32_a_script_is_told_of_a_hand_that_lost_the_pot_and_whom_a_claim_does_not_pay(node, pozo):
    done(pozo("abrir", "M1"))
    done(pozo("creditos", "M1", "1", "4"))
    node.during(lambda: node.press("M1", 1))
    done(pozo("cerrar", "M1"))
    node.during(lambda: node.prove("M1"))

    told = pozo("manos", "M1", "1 full retirado")
    assert "La posición 1 se retiró: no cobra del pozo" in told.stderr
    assert "NADIE COBRA" in told.stdout and "posición 1: no cobra, se retiró" in told.stdout
    reply = json.loads(pozo("manos", "M1", "1 retirado", "--json").stdout)
    assert (reply["ok"], reply["pays"], reply["unpaid"]) == (True, 0, [{"seat": 1, "reason": "folded"}])


def test_r8_an_act_that_the_game_does_not_have_is_refused_by_the_console_and_by_the_node(node, pozo):
    done(pozo("abrir", "M1"))
    done(pozo("creditos", "M1", "1", "4"))
    node.during(lambda: node.press("M1", 1))
    done(pozo("cerrar", "M1"))
    node.during(lambda: node.prove("M1"))

    told = pozo("manos", "M1", "1 full compró")
    assert told.exit_code == 2
    assert "posición 1: en esta mesa no existe «compró»; se puede anotar: retirado, cambió" in told.stderr
    claim = ask.RegisterClaim("M1", (Hand(1, ("bought",), claimed="full"),), Signature(""))
    with Client(node.control_folder) as client:
        reply = client.ask(asking(claim, signs("carla")))
    assert (reply.trouble.reason, reply.trouble.rule, reply.trouble.where) == (
        "act_not_in_game",
        "R-8",
        "seats[0].bought",
    )


@pytest.mark.parametrize(
    "words",
    [("abrir",), ("creditos", "M1", "1"), ("creditos", "M1", "uno", "2"), ("manos", "M1", "2 fuul"), ("dia", "x")],
)
def test_a_command_called_wrongly_asks_nothing_and_ends_with_2(node, pozo, words):
    assert pozo(*words).exit_code == 2
    assert not node.asked


def test_what_the_node_said_can_be_read_by_programs(pozo):
    reply = json.loads(done(pozo("abrir", "M1", "--json")))

    assert (reply["v"], reply["ok"], reply["facts"][0]["kind"]) == (2, True, "pass_opened")
    view = json.loads(done(pozo("estado", "--json", by=None)))
    assert (view["node"], view["tables"][0]["phase"]) == ("nodo1", "open")


def test_a_command_that_is_repeated_with_its_number_is_done_once(node, pozo):
    for _ in range(2):
        done(pozo("creditos", "M1", "1", "4", "--id", "ab" * 16))

    assert node.book.state.tables["M1"].seat(1).credits == 2_000


def test_facts_since_a_number_come_one_a_line_and_the_state_says_what_stands_behind_a_pot(node, pozo):
    done(pozo("abrir", "M1"))
    lines = done(pozo("hechos", str(node.book.seq - 2), by=None)).splitlines()

    assert [json.loads(line)["seq"] for line in lines] == [node.book.seq - 1, node.book.seq]
    assert json.loads(lines[-1])["fact"]["kind"] == "pass_opened"
    assert pozo("hechos", "-1", by=None).exit_code == 2
    assert "la casa central puso $ 5.000.000" in done(pozo("estado", by=None))


def test_no_node_is_one_sentence(tmp_path):
    result = CliRunner().invoke(ctl, ["--node", str(tmp_path), "estado"])

    assert result.exit_code == 1
    assert result.stderr == f"pozo: {tmp_path}: aquí no hay ningún nodo en marcha\n"


def test_where_no_node_runs_it_says_where_it_looked(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("controller.ctl.command._SOCKETS", (f"{tmp_path}/run/pozo*/commands",))
    result = CliRunner().invoke(ctl, ["estado"], env={"POZO_NODE": None})

    assert result.exit_code == 1
    assert f"{tmp_path}/run/pozo*" in result.stderr and "POZO_NODE" in result.stderr


@pytest.mark.parametrize("folder", ["pozo", "pozo-ancud", "pozo/ancud"])
def test_a_node_is_found_in_every_folder_that_an_installation_gives_its_sockets(node, tmp_path, monkeypatch, folder):
    patterns = [f"{tmp_path}{pattern}" for pattern in command._SOCKETS]
    monkeypatch.setattr(command, "_SOCKETS", tuple(patterns))
    place = tmp_path / "run" / folder
    place.parent.mkdir(parents=True)
    place.symlink_to(node.control_folder)

    assert "nodo1" in done(CliRunner().invoke(ctl, ["estado"], env={"POZO_NODE": None}))


def test_the_only_node_that_runs_here_is_found(node, tmp_path, monkeypatch):
    (tmp_path / "var").mkdir()
    (tmp_path / "var/dead").mkdir()
    (tmp_path / "var/dead/commands").touch()
    (tmp_path / "var/demo").symlink_to(node.control_folder)
    monkeypatch.chdir(tmp_path)

    assert "nodo1" in done(CliRunner().invoke(ctl, ["estado"], env={"POZO_NODE": None}))


def test_r36_two_persons_sign_from_a_file_and_the_second_is_named(node, pozo, tmp_path):
    pins = tmp_path / "pins"
    pins.write_text("# turno de noche\njefe 444444\njefa 555555\n")
    pins.chmod(0o644)
    words = ("contar", "M1", "2", "3", "--pin-file", str(pins))
    assert "chmod 600" in pozo(*words, by=None).stderr
    pins.chmod(0o600)

    alone = pozo(*words, by=None)
    assert (alone.exit_code, "--segundo" in alone.stderr) == (1, True), "R-36: no program chooses who signs second"
    assert "firman dos" in alone.stderr
    assert node.book.state.tables["M1"].seat(2).credits == 0
    assert "conteo anotado" in done(pozo(*words, "--segundo", "jefa", by=None))
    assert node.book.state.tables["M1"].seat(2).credits == 1_500


def test_the_second_person_is_asked_for_when_the_node_says_so(node, pozo):
    node.during(lambda: node.say(*won(node)))
    with_prompt = CliRunner().invoke(
        ctl,
        ["--node", str(node.control_folder), "confirmar", "1"],
        env={"POZO_POR": "jefe", "POZO_PIN": PINS["jefe"]},
        input=f"jefa\n{PINS['jefa']}\n",
    )

    assert with_prompt.exit_code == 0, with_prompt.output
    assert "confirmado" in with_prompt.output


def won(node):
    """A royal flush on a pot of more than the plan lets one person confirm."""
    who = Signature("carla")
    node.say(ask.MoveMoney("chico", "house", "main", 9_000_000, "Res. 9", Signature("ana"), Signature("luis")))
    node.say(ask.OpenPass("M1", who), ask.BuyCredits("M1", 1, 10, who))
    node.press("M1", 1, 2)
    node.say(ask.Lock("M1"))
    node.prove("M1")
    return [ask.RegisterClaim("M1", (Hand(1, cards=("As", "Ks", "Qs", "Js", "Ts")),), who)]


def persona(node, *more, said):
    return CliRunner().invoke(
        ctl,
        ["--node", str(node.control_folder), "persona", *more],
        env={"POZO_POR": "ana", "POZO_PIN": PINS["ana"], "POZO_SEGUNDO": "luis", "POZO_PIN2": PINS["luis"]},
        input=said,
    )


def test_r36_a_person_is_enrolled_by_two_who_know_her_with_a_pin_that_is_typed_twice(node):
    result = persona(node, "nora", "croupier", "Nora", "Núñez", said="s\n121212\n121212\n")

    assert result.exit_code == 0, result.output
    assert "¿Los dos que firman conocen a la persona, y no tiene otro nombre aquí?" in result.output
    assert node.book.state.people["nora"].name == "Nora Núñez"
    again = persona(node, "nora2", "jefe", "Núra", "--conocida", "sí", said="121212\n121212\n")
    assert again.exit_code == 0, again.output
    retired = persona(node, "nora2", "-", "Núra", said="121212\n121212\n")
    assert retired.exit_code == 0, retired.output


def test_r36_who_is_not_known_or_has_another_name_is_not_enrolled(node):
    for said in ("n\n121212\n121212\n", "\n\nno\n121212\n121212\n"):
        refused = persona(node, "nora", "croupier", "Nora", said=said)
        assert refused.exit_code == 1
        assert "Falta que los dos que firman digan que conocen a nora en persona" in refused.output
    twice = persona(node, "Carla", "jefe", "Otra", "--conocida", "s", said="121212\n121212\n")
    assert twice.exit_code == 1 and "«Carla»" not in twice.output
    assert "'Carla' se lee como 'carla' (carla): una persona tiene un solo nombre en el nodo." in twice.output


def test_r36_terminals_are_listed_with_their_fingerprints_and_taken_away_by_one(node, pozo):
    assert done(pozo("terminales")) == "Ninguna terminal inscrita.\n"
    for number, (name, use, place) in enumerate(
        (("t1", "table", "M1"), ("t2", "chief", ""), ("t3", "sign", "alto")), 1
    ):
        asked = ask.EnrolTerminal(name, use, place, point_of(number), None, None)
        with Client(node.control_folder) as client:
            assert client.ask(asking(asked, signs("jefe"), signs("ana"))).ok
    listed = done(pozo("terminales")).splitlines()
    assert [line.partition(" · huella ")[0] for line in listed] == ["t1: mesa M1", "t2: jefe", "t3: letrero alto"]
    digits = hashlib.sha256(bytes.fromhex(point_of(1))).hexdigest()[:32]
    assert listed[0].endswith("-".join(digits[at : at + 4] for at in range(0, 32, 4)))

    told = done(pozo("terminal", "retirar", "t2", "quedó", "en", "un", "taxi", by="jefa"))
    assert told == "Terminal t2: retirada (quedó en un taxi); desde ahora no se le toma nada.\n"
    assert "t2" not in done(pozo("terminales"))
    assert pozo("terminal", "retirar", "t1", "x").exit_code == 1, "a croupier takes none away"
    for wrong in (("inscribir", "t1", "x"), ("retirar", "t1")):
        assert "Se escribe: terminal" in pozo("terminal", *wrong, by="jefa").stderr


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ({"replaces": ""}, "Terminal t1 inscrita: mesa M1."),
        ({"replaces": "04cd"}, "Terminal t1 inscrita: mesa M1; su llave de antes ya no vale."),
        ({"replaces": "04ab", "use": "chief", "place": ""}, "Terminal t1 inscrita: jefe."),
    ],
)
def test_r36_that_a_terminal_has_another_key_is_said(fact, said):
    enrolled = {"kind": "terminal_enrolled", "terminal": "t1", "use": "table", "place": "M1", "key": "04ab"}

    assert OF_THE_HOUSE["terminal_enrolled"](enrolled | fact, None) == [said]


def test_a_day_opens_and_closes(tmp_path):
    with ctl_engine.running(tmp_path, day=False) as node:
        env = {"POZO_POR": "jefe", "POZO_PIN": PINS["jefe"]}

        def run(*words):
            return CliRunner().invoke(ctl, ["--node", str(node.control_folder), *words], env=env)

        assert "Jornada 2026-11-01 abierta" in done(run("dia", "abrir", "2026-11-01"))
        assert "Jornada 2026-11-01 cerrada" in done(run("dia", "cerrar"))


def test_r27_r30_a_day_gets_another_name_and_its_seed_is_said_to_be_lost_by_two(tmp_path):
    with ctl_engine.running(tmp_path, day=False) as node:
        env = {"POZO_POR": "jefe", "POZO_PIN": PINS["jefe"], "POZO_PIN2": PINS["jefa"]}

        def run(*words, two=()):
            return CliRunner().invoke(ctl, ["--node", str(node.control_folder), "dia", *words, *two], env=env)

        jefa = ("--segundo", "jefa")
        run("abrir", "2026-11-02")
        renamed = done(run("nombre", "2026-11-01", "era", "hoy", two=jefa))
        assert "La jornada 2026-11-02 se llama ahora 2026-11-01." in renamed
        assert "no está perdida" in run("sin-semilla", "disco", two=jefa).output
        (seed,) = node.folder.rglob("*.seed")
        seed.unlink()
        lost = done(run("sin-semilla", "se", "rompió", "el", "disco", two=jefa))
        assert "Jornada 2026-11-01: consta que su semilla se perdió." in lost
        assert "cerrada, sin semilla: sus sorteos quedan sin comprobar." in done(run("cerrar"))
        for wrong in (("nombre", "2026-11-01"), ("sin-semilla",), ("abrir",), ("cerrar", "x")):
            assert "Se escribe: dia abrir" in run(*wrong).stderr


def test_a_plan_goes_with_the_ruleset_it_names(node, pozo, tmp_path):
    file = tmp_path / "plan.toml"
    file.write_text(book_cases.PLAN.replace("Pozo Chico", "Pozo Chico de Prueba"))

    told = done(pozo("plan", str(file), by="ana", second="luis"))

    assert "rige desde ahora" in told
    assert "Pozo Chico de Prueba" in node.book.state.pots["chico"].documents.plan


def test_the_deeds_of_devices_reach_them(node, pozo):
    done(pozo("prueba-luces", "M1", by="tito"))
    done(pozo("fallas", "M1", "3", by="tito"))
    done(pozo("prueba-letrero", "sala", by="tito"))

    assert node.devices_did == ["lamp_test", "clear_faults", "sign_test"]


def test_training_begins_and_ends_and_says_so(pozo):
    done(pozo("entrenamiento", "M2", "empezar", second="jefe"))
    assert "ENTRENAMIENTO" in done(pozo("estado", by=None))
    done(pozo("entrenamiento", "M2", "terminar", by="jefe"))
    assert "ENTRENAMIENTO" not in done(pozo("estado", by=None))


CARD = """
[[complementary]]
name = "Carta {}"
amount = 1000
drawn = "card"
paid_in = "promotional_credits"
from = "house"
one_in = 1
authorisation = "Aut. 7"
"""


def draws_a_card(node, *names):
    """A pass with a bet at seat 1, sealed; what was drawn."""
    who, admins = Signature("carla"), (Signature("ana"), Signature("luis"))
    plan = book_cases.PLAN + "".join(map(CARD.format, names))
    law = book_cases.RULESET
    for name in names:
        law = naming(law, f"Carta {name}", 1_000)
    node.say(ask.StagePlan(*as_own(plan, law), *admins))
    node.say(ask.OpenPass("M1", who), ask.BuyCredits("M1", 1, 10, who))
    node.press("M1", 1, 2)
    node.say(ask.Lock("M1"))
    node.prove("M1")
    node._draw()


def test_a_card_that_was_drawn_is_seen_and_shown_by_a_seat_without_its_prize_being_said(node, pozo):
    assert pozo("carta", "M1", "1").exit_code == 2
    node.during(lambda: draws_a_card(node, "Mágica"))

    assert "  carta sorteada: Carta Mágica: " in done(pozo("estado", "M1", by=None))
    told = done(pozo("carta", "M1", "1"))

    assert "para la posición 1: $ 1.000, en créditos promocionales; se paga cuando termine el pase." in told
    assert "carta sorteada" not in done(pozo("estado", "M1", by=None))


def test_of_two_cards_the_prize_is_said_in_as_many_words_as_it_has(node, pozo):
    node.during(lambda: draws_a_card(node, "Mágica", "de Oro"))

    assert "Carta Mágica, Carta de Oro" in pozo("carta", "M1", "1").stderr
    done(pozo("carta", "M1", "1", "Carta", "de", "Oro"))
    assert list(node.book.state.tables["M1"].cards) == ["Carta Mágica"]


def test_every_order_can_be_made_or_says_how_it_is_written(node):
    place = OrderPlace("M1", node.view())
    for order in ORDERS:
        if order.words and all(word.startswith("[") for word in order.words):
            continue  # it may be said without a word
        with pytest.raises(Misspoken):
            make(order, place, ["uno", "dos", "tres", "cuatro", "cinco", "seis", "siete"] if not order.words else [])


def test_the_state_names_what_is_wrong(node):
    node.during(lambda: node.say(ask.CloseSeat("M1", 3, "luz rota")))
    told = list(state_lines(node.view()))

    assert "  posición 3: CERRADA (luz rota)" in told
    assert any(line.startswith("alarma: Mesa M1, posición 3") for line in told)


def test_the_command_runs_as_a_program(node):
    code = "from controller.ctl.command import ctl; ctl(prog_name='pozo ctl')"
    run = subprocess.run(
        [sys.executable, "-c", code, "estado"],
        env={**os.environ, "POZO_NODE": str(node.control_folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert "mesa M1: ENTRE PASES" in run.stdout


def test_a_folder_whose_name_is_not_utf8_is_one_sentence(tmp_path):
    (folder := tmp_path / os.fsdecode(b"nodo\xff")).mkdir()

    ended = CliRunner().invoke(ctl, ["--node", str(folder), "estado"])

    assert ended.exit_code == 1 and "no es UTF-8" in ended.output and ended.output.count("\n") == 1
