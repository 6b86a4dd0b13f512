"""Both languages of the pages say everything: every refusal that any code can give, every alarm, every reason of the
node's why a seat is closed or a device is down, every key, and no English that is Spanish.

What can be refused is found in the program itself: the reasons of the rules, and every place that makes a trouble by a name.
A place whose name cannot be read off is listed with where its names come from. Alarms are made in one place (`alarm`), by a
name and a sentence that are both read off; the node's fixed phrases are those of the modules that hold them.
"""

import ast
import importlib
import re

import pytest

from controller.core import project, seats
from controller.core.values import KNOWS_MORE
from controller.node.devices import ports
from controller.node.floor import words
from controller.node.floor.words import other_plan, what_to_do
from controller.node.service import node_webs
from controller.node.signs import signboard
from controller.node.vocabulary.own_faults import OWN_FAULTS
from controller.node.vocabulary.protocol import WHY_STOPPED
from controller.rules.cards import CATEGORIES
from controller.rules.eligibility import WhyUnpaid
from controller.rules.refusal import Reason, parts_of, refuse
from controller.rules.ruleset import Forfeit
from controller.web.server import _SENTENCES
from drivers.model import Down, SignState
from drivers.native.contract import SeatFault
from support.places import ROOT

CONTROLLER = ROOT / "controller"
TEXTS = CONTROLLER / "web" / "pages" / "ground" / "texts"
MAKERS = {"Trouble": 0, "NotUnderstood": 0, "TurnedBack": 1, "_no": 1, "nobody_answers": 1}
"""Who makes a no, and at which place the reason's name is said."""
HANDED_ON = {
    "node/engine/reception.py": 1,  # a fact's reason: one of the rules
    "node/control/proofs.py": 1,  # one of the rules
    "node/control/door.py": 3,  # one of the rules; what bounds.py said; its own exception's
    "web/door/turned_back.py": 1,  # its own exception's
    "web/live/stream.py": 1,  # its own `_no`'s
    "web/acts/answers.py": 1,  # its own `nobody_answers`'
    "web/acts/askers.py": 1,  # BUSY's
    "web/acts/asked.py": 2,  # *_parts of a trouble that was made elsewhere
}
SAME_IN_BOTH = {
    *("age.seconds", "age.minutes", "age.hours", "award.minutes", "service.buy.n"),  # a number, or one with its unit
    *("pin.done", "enrol.pin", "seat.credits_promo"),  # OK, PIN and promo are the words of both
}


def spoken(file, key, least=150):
    """What a file of texts says, by key."""
    rows = re.findall(
        rf"""^  {key}: ("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),$""", (TEXTS / file).read_text(), re.MULTILINE
    )
    said = {name: ast.literal_eval(words) for name, words in rows}
    assert len(said) == len(rows) > least, f"{file}: a text stands twice, or the form of its lines is another one"
    return said


ES, EN = spoken("es.js", '"([^"]+)"'), spoken("en.js", '"([^"]+)"')
REFUSALS = spoken("refusals.js", r"(\w+)")
ALARMS = spoken("alarms.js", r"(\w+)", least=50)
PHRASES = spoken("reasons.js", '"([^"]+)"', least=70)


def holes(words):
    return set(re.findall(r"\{\$?(\w+)", words))


def amounts(words):
    return set(re.findall(r"\{\$(\w+)", words))


def module_of(file):
    return ".".join(("controller", *file.relative_to(CONTROLLER).with_suffix("").parts))


def named_in(file):
    """The reasons that a module gives by name, and how many it only hands on."""
    names, handed_on = set(), 0
    calls = [one for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.Call)]
    for call in calls:
        maker = getattr(call.func, "id", "")
        if maker not in MAKERS:
            continue
        said = call.args[MAKERS[maker]]
        if isinstance(said, ast.Constant):
            names.add(said.value)
        elif isinstance(said, ast.Name) and isinstance(
            getattr(importlib.import_module(module_of(file)), said.id, None), str
        ):
            names.add(getattr(importlib.import_module(module_of(file)), said.id))
        else:
            handed_on += 1
    return names, handed_on


MODULES = [*(CONTROLLER / "node").rglob("*.py"), *(CONTROLLER / "web").rglob("*.py")]
NAMED = {str(file.relative_to(CONTROLLER)): named_in(file) for file in MODULES}


def every_reason():
    return {
        *(reason.code for reason in Reason),
        *(reason for reason, _sentence in _SENTENCES.values()),
        *(name for names, _ in NAMED.values() for name in names),
    }


def test_no_place_makes_a_reason_that_cannot_be_read_off():
    assert {file: many for file, (_, many) in NAMED.items() if many} == HANDED_ON
    assert len(every_reason()) > 200
    assert {"ticket_over", "wait", "pin_needed", "reading", "not_json", "node_silent"} <= every_reason()


def test_every_refusal_has_an_english_sentence_and_no_sentence_is_of_none():
    assert set(REFUSALS) == every_reason()


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.code)
def test_an_english_sentence_has_only_parts_that_the_nodes_own_brings(reason):
    english = REFUSALS[reason.code]
    words = {name: f"<{name}>" for name in holes(reason.sentence)}
    quoted = set(re.findall(r"\{(\w+)!r\}", reason.sentence))
    brought = parts_of(reason.code, refuse(reason, "place", **words).message)

    assert brought == {name: repr(said) if name in quoted else said for name, said in words.items()}
    assert holes(english) <= set(brought)
    assert english != reason.sentence
    assert english.endswith(".") and (english[0].isupper() or english.startswith("{"))
    assert not re.search(r"[áéíóúñ¿¡]", english)


def said_by(made, within, module):
    """A sentence of the node: a constant of its module, or of the function that uses it, or of what that one is made of."""
    own = {
        one.targets[0].id: one.value
        for one in ast.walk(within)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
    }
    made = own.get(made.id, made) if isinstance(made, ast.Name) else made
    return eval(compile(ast.Expression(made), module.__name__, "eval"), vars(module))  # noqa: S307  our own source


def alarms_of(file):
    """Of a module: name, Spanish sentence, and with which parts it is filled."""
    tree = ast.parse(file.read_text())
    functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
    for function in functions:
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "alarm":
                name, _where, _rule, made = call.args
                sentence = said_by(made, function, importlib.import_module(module_of(file)))
                yield ast.literal_eval(name), sentence, {one.arg for one in call.keywords}


EVERY_ALARM = [one for file in CONTROLLER.rglob("*.py") if "alarm(" in file.read_text() for one in alarms_of(file)]


def test_every_alarm_is_made_where_its_name_and_sentence_can_be_read_off():
    made = [file for file in CONTROLLER.rglob("*.py") if re.search(r"\bAlarm\(", file.read_text())]

    assert made == [CONTROLLER / "core/view.py"]
    assert len(EVERY_ALARM) > 50
    assert {"seat_closed", "no_link", "disk_low", "sign_differs"} <= {name for name, _, _ in EVERY_ALARM}


def test_every_alarm_has_an_english_sentence_and_no_sentence_is_of_none():
    assert set(ALARMS) == {name for name, _, _ in EVERY_ALARM}


@pytest.mark.parametrize(("name", "spanish", "parts"), EVERY_ALARM, ids=[name for name, _, _ in EVERY_ALARM])
def test_an_english_alarm_has_only_parts_that_the_nodes_own_brings(name, spanish, parts):
    english = ALARMS[name]

    assert holes(spanish) <= parts >= holes(english)
    assert amounts(english) == parts & {"amount"}
    assert english != spanish
    assert not re.search(r"[áéíóúñ¿¡]", english)


def texts_in(file, *but):
    """Every text of a module but its docstrings, and those of its lines that build one of others."""
    tree = ast.parse((CONTROLLER / file).read_text())
    inner = {id(part) for one in ast.walk(tree) if isinstance(one, ast.JoinedStr) for part in ast.walk(one)}
    own = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    found = [one for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return {one.value for one in found if id(one) not in inner | own} - set(but)


def why_seats_close():
    """What the core and the floor give by a constant as the reason; a fact's own is a person's, or was the floor's."""
    found = set()
    for file in [*(CONTROLLER / "core").rglob("*.py"), *(CONTROLLER / "node/floor").rglob("*.py")]:
        for call in [one for one in ast.walk(ast.parse(file.read_text())) if isinstance(one, ast.Call)]:
            given = [one.value for one in call.keywords if one.arg in {"closed", "closing"}]
            given += call.args[2:3] if getattr(call.func, "id", "") in {"closing", "SeatClosed"} else []
            given += call.args[2:3] if getattr(call.func, "attr", "") == "SeatClosed" else []
            given += call.args[1:2] if getattr(call.func, "id", "") == "_close" else []
            names = [one.id for one in given if isinstance(one, ast.Name) and one.id.lstrip("_").isupper()]
            found |= {getattr(importlib.import_module(module_of(file)), name) for name in names}
            found |= {one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return found - {""}


def test_every_fixed_phrase_of_the_node_has_english_and_no_english_is_of_none():
    kinds = {"console", "counter", "io"}
    known = {
        *texts_in("node/floor/words.py", *kinds),
        *why_seats_close(),
        *seats._IMPOSSIBLE.values(),
        seats._REPLACED,
        seats._ACCOUNTING,
        *(name for _, name in project._UNITS),
        *WHY_STOPPED.values(),
        *ports.WHY.values(),
        *signboard.WHY_WRONG.values(),
        node_webs.DEFECT,
        *OWN_FAULTS.values(),
    }

    assert {KNOWS_MORE, "luz", "el aceptor pide claves", "la consola"} <= known
    assert set(PHRASES) == known
    assert not [said for said in PHRASES.values() if re.search(r"[áéíóúñ¿¡]", said)]


@pytest.mark.parametrize("kind", ["console", "counter", "io", "electronic"])
def test_what_is_said_of_a_device_is_its_kind_and_what_helps(kind):
    for said in (*(what_to_do(kind, reason) for reason in Down), other_plan(kind)):
        device = next(name for name in (*words._NAMES.values(), words._ACCEPTOR) if said.startswith(f"{name} "))
        assert said.removeprefix(f"{device} ") in PHRASES


def test_amounts_of_money_are_marked_as_such():
    money = {"limit", "whole", "ceiling", "unit"}
    bare = {
        name: holes(words) - amounts(words)
        for name, words in REFUSALS.items()
        if holes(words) & money or "{amount}" in words
    }

    assert {name for name, rest in bare.items() if rest & money or "amount" in rest} == {"amount_wrong"}
    assert amounts(REFUSALS["not_enough"]) == {"held", "amount"}


def test_both_languages_say_the_same_keys_with_the_same_holes():
    assert set(ES) == set(EN)
    assert [key for key in ES if holes(ES[key]) != holes(EN[key])] == []


def test_no_english_text_is_its_spanish_one_but_where_it_was_judged():
    assert {key for key in ES if ES[key] == EN[key]} == SAME_IN_BOTH


def faults_that_devices_name():
    """Of the native contract, and what the other drivers say by name."""
    named = {fault.name.lower() for fault in SeatFault}
    for file in (ROOT / "drivers").rglob("*.py"):
        for made in ast.walk(ast.parse(file.read_text())):
            if isinstance(made, ast.FunctionDef) and made.name in {"faults", "_faults"}:
                given = [one.value for one in ast.walk(made) if isinstance(one, ast.Return | ast.Yield) and one.value]
                texts = [one for value in given for one in ast.walk(value) if isinstance(one, ast.Constant)]
                named |= {one.value.rstrip("_") for one in texts if isinstance(one.value, str) and one.value}
    return named


def named_by_pages(pattern):
    """The words between quotes in what a pattern finds in the pages."""
    found = [
        one for file in (CONTROLLER / "web" / "pages").rglob("*.js") for one in re.findall(pattern, file.read_text())
    ]
    return {word for one in found for word in re.findall(r'"(\w+)"', one)}


@pytest.mark.parametrize(
    ("begins", "names"),
    [
        ("unpaid", set(WhyUnpaid)),
        ("act", set(Forfeit)),
        ("sign_state", set(SignState)),
        ("prize", set(CATEGORIES)),
        ("fault", faults_that_devices_name()),
        ("matter", named_by_pages(r"typedef \{(.*)\} Matter\b")),
        ("next", named_by_pages(r"typedef \{(.*)\} Next\b")),
        ("award", named_by_pages(r'typedef \{("frozen".*)\} Standing\b')),
        ("lamp", named_by_pages(r"typedef \{(.*)\} LampShape\b")),
        ("reason", named_by_pages(r"new Reasons\(\[(.*?)\]") | named_by_pages(r"void_hand: \[(.*)\]")),
    ],
)
def test_what_is_said_by_a_name_has_words(begins, names):
    assert len(names) > 2, "nothing would be looked at"
    assert [name for name in names if f"{begins}.{name}" not in ES] == []
