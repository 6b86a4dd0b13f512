"""The description of the API: what it names is in it, and a foreign program that reads it finds no defect in what it describes.

schemathesis invents requests from the description, right and wrong ones, and sends them to a `pozo web` of a fresh casino with a
real node behind it, signed as a page signs (tests/foreign/api_signs.py).
"""

import os
import subprocess

import msgspec
import pytest
from conftest import CAMPAIGN

from controller.node.control.client import Client, asking
from controller.node.control.door import INPUTS, PREVIEWED
from controller.web.acts.api import BELOW, OF_A_BOX, Api
from controller.web.door.door import Door
from controller.web.door.origin import ours
from controller.web.openapi import openapi, openapi_body
from support.node.node_process import ANA, JEFE, casino, founded
from support.places import ROOT
from support.web.browser_double import ORIGIN, BrowserKey
from support.web.web_process import web_process

SCHEMATHESIS = ROOT / ".venv/api/bin/schemathesis"
KEY = BrowserKey(7)
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method,ignored_auth"
)


def references(schema):
    if isinstance(schema, list):
        return [one for part in schema for one in references(part)]
    if not isinstance(schema, dict):
        return []
    own = [schema["$ref"]] if isinstance(schema.get("$ref"), str) else []
    return own + [one for value in schema.values() for one in references(value)]


def test_what_it_names_is_in_it_and_nothing_else():
    schemas = openapi()["components"]["schemas"]
    named = {one.rpartition("/")[2] for one in references(openapi())}

    assert named == set(schemas)


def test_every_address_of_the_api_is_described_and_no_other():
    door = Door(ours([ORIGIN]), lambda: 0)
    described = {path.removeprefix(BELOW): set(ways) for path, ways in openapi()["paths"].items()}
    served = {name: {way.lower() for way in ways} for name, ways in Api(door, *[None] * 4, b"").handlers.items()}

    of_a_box = {f"box/{{box}}/{name}": ways for name, ways in served.items() if name in OF_A_BOX}
    assert described == served | of_a_box | {"stream": {"get"}, "whole": {"get"}}


def test_every_input_can_be_asked_and_what_has_amounts_looked_at():
    schemas = openapi()["components"]["schemas"]

    def tags(name):
        return {one["$ref"].rpartition("ask.")[2] for one in schemas[name]["properties"]["ask"]["oneOf"]}

    assert tags("ActAsked") == set(INPUTS)
    assert tags("LookAsked") == {tag for tag, kind in INPUTS.items() if kind in PREVIEWED}


def test_it_asks_for_no_proof_and_answers_with_no_secret():
    schemas = openapi()["components"]["schemas"]

    assert {"proof", "ticket", "new_salt", "new_key"}.isdisjoint(schemas["ActAsked"]["properties"])
    assert {"ticket", "salts", "epoch", "state"}.isdisjoint(schemas["Answer"]["properties"])
    assert msgspec.json.decode(openapi_body())["info"] == openapi()["info"]


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    place = tmp_path_factory.mktemp("founded")
    founded(place)
    return place


@pytest.mark.process
@pytest.mark.campaign
@pytest.mark.skipif(not SCHEMATHESIS.exists(), reason="no schemathesis in .venv/api (make test)")
@pytest.mark.parametrize("use", ["chief", "table"])
def test_a_foreign_program_breaks_nothing_with_what_it_invents(template, tmp_path, use):
    with casino(template) as place:
        node = place.start()
        node.ready()
        control = node.place / "control"
        said = {"ask": "enrol_terminal", "terminal": "fuzz", "use": use, "key": KEY.public}
        said["place"] = "DP-01" if use == "table" else ""
        with Client(control) as client:
            assert client.ask(asking(said, JEFE, ANA)).ok
        with web_process(tmp_path, control) as web:
            environment = os.environ | {
                "SCHEMATHESIS_HOOKS": str(ROOT / "tests/foreign/api_signs.py"),
                "POZO_ORIGIN": web.origin, "POZO_KEY": "7", "POZO_COOKIE": said_hello(web),
            }  # fmt: skip
            command = [
                str(SCHEMATHESIS), "run", f"{web.origin}/api/v1/openapi.json", "--checks", CHECKS,
                "--exclude-path", "/api/v1/stream", "--max-examples", "500" if CAMPAIGN else "15",
                "--phases", "examples,coverage,fuzzing", "--no-color", "--seed", "1",
            ]  # fmt: skip
            told = subprocess.run(
                command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=3_000, check=False
            )
            assert told.returncode == 0, told.stdout[-8_000:] + told.stderr[-2_000:]
            assert "defect" not in web.said(), web.events()
        node.end()
        assert "BIEN" in place.verify()


def said_hello(web):
    """The cookie of a terminal that was let in."""
    end = 20
    while True:
        challenge = web.get("/api/v1/challenge").json["challenge"]
        body = {"terminal": "fuzz", "challenge": challenge, "signature": KEY.hello(challenge, web.origin)}
        ours = {"Origin": web.origin, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
        answer = web.ask("POST", "/api/v1/hello", msgspec.json.encode(body), ours)
        if answer.status == 200:
            return answer.headers["set-cookie"].partition(";")[0]
        assert answer.status == 503 and (end := end - 1), answer
