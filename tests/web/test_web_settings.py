"""The settings of `pozo web`: what is right is read, and what is wrong is said with its key and what would be right."""

import re

import pytest
from click.testing import CliRunner

from controller.cli.web import web
from controller.node.vocabulary.protocol import COMMANDS
from controller.rules.document import DocumentError
from controller.web.settings import problems, read_settings
from support.places import ROOT

RIGHT = """
control = "control"
listen = "127.0.0.1:8443"
origins = ["http://127.0.0.1:8443"]
folder = "web"
"""
NOTICES = '[notices]\nresponsible_play = "Juegue poco."\nage = "Mayores de 18."\nresolution = "Res. 1."\n'
SIGN = '[[sign]]\nname = "sala"\npots = ["estelar"]\n'


@pytest.fixture
def written(tmp_path):
    def write(text, layouts=SIGN):
        (tmp_path / "web.toml").write_text(text)
        (tmp_path / "letreros.toml").write_text(layouts)
        return tmp_path / "web.toml"

    return write


def test_the_shipped_example_is_right():
    assert problems(ROOT / "config/web/ejemplo.toml") == []


def test_everything_in_the_example_can_be_said(written, tmp_path):
    text = (ROOT / "config/web/ejemplo.toml").read_text()
    for key in (
        "signs",
        "[tls]",
        "certificate",
        "key",
        "[notices]",
        "responsible_play",
        "age",
        "resolution",
        "[[box]]",
        "name",
        "address",
    ):
        assert f"# {key}" in text, key
        text = text.replace(f"# {key}", key)
    for name in ("mesa-1.pem", "mesa-1.key"):
        (tmp_path / name).write_text("")

    settings = read_settings(written(text, (ROOT / "config/web/letreros.toml").read_text()))

    assert settings.certificate is not None and settings.certificate.key == tmp_path / "mesa-1.key"
    assert settings.notices is not None and settings.notices.age == "Solo mayores de 18 años."
    assert [sign.name for sign in settings.signs] == ["sala"]
    assert [box.name for box in settings.boxes] == ["norte"]


def test_what_is_not_said_is_as_usual(written):
    settings = read_settings(written(RIGHT))

    assert (settings.address, settings.port, settings.plain) == ("127.0.0.1", 8443, True)
    assert (settings.language, settings.signs, settings.notices, settings.certificate) == ("es", (), None, None)


def test_a_sign_has_its_layout(written):
    layouts = SIGN + 'theme = "contraste"\nsound = true\nquiet = "23:00-08:00"\n'
    [sign] = read_settings(written(f'{RIGHT}signs = "letreros.toml"\n{NOTICES}', layouts)).signs

    assert sign == ("sala", ("estelar",), "contraste", True, False, "23:00-08:00", "", "es")


def test_a_sign_speaks_the_language_of_its_layout(written):
    layouts = SIGN + 'language = "en"\n'
    [sign] = read_settings(written(f'{RIGHT}signs = "letreros.toml"\n{NOTICES}', layouts)).signs

    assert sign.language == "en"


def box(name="norte", address="tcp://10.0.0.12:7072", key="ab" * 32):
    return f'[[box]]\nname = "{name}"\naddress = "{address}"\nkey = "{key}"\n'


def test_other_boxes_are_where_their_nodes_are_known_by_their_keys(written):
    settings = read_settings(written(RIGHT + box() + box("sur", "tcp://[fd00::7]:7072", "cd" * 32)))

    assert settings.boxes == (
        ("norte", ("10.0.0.12", 7072), "ab" * 32),
        ("sur", ("fd00::7", 7072), "cd" * 32),
    )


def test_the_key_of_a_web_is_said_with_its_fingerprint_and_stays_the_same(written):
    config = written(RIGHT + box())
    first, again = (CliRunner().invoke(web, [str(config), "--key"]) for _ in range(2))

    assert first.exit_code == 0
    assert first.output == again.output
    assert re.fullmatch(r"llave  [0-9a-f]{64}\nhuella ([0-9a-f]{4}-){7}[0-9a-f]{4}\n", first.output)
    assert "caja norte: 10.0.0.12, 7072; huella de su nodo" in CliRunner().invoke(web, [str(config), "--check"]).output


WRONG = {
    "a box by a name of the network": (RIGHT + box(address="tcp://norte:7072"), "box[0].address: debe ser la de su"),
    "a box without a port": (RIGHT + box(address="tcp://10.0.0.12"), "box[0].address: debe ser la de su"),
    "a box with a fingerprint for a key": (RIGHT + box(key="ab12-cd34"), "box[0].key: son las 64 cifras"),
    "a box without a key": (RIGHT + box().replace("key", "llave"), "box[0].key: falta"),
    "a box that no node could be": (RIGHT + box("caja norte"), "box[0].name: caja norte no puede ser"),
    "two boxes of one name": (RIGHT + box() + box(address="tcp://10.0.0.13:7072", key="cd" * 32), "box[0].name: es de dos"),
    "two boxes at one address": (RIGHT + box() + box("sur", key="cd" * 32), "box[0].address: es de dos"),
    "two boxes with one key": (RIGHT + box() + box("sur", "tcp://10.0.0.13:7072"), "box[0].key: es de dos"),
    "too many boxes": (RIGHT + "".join(box(f"b{n}", f"tcp://10.0.1.{n}:7072", f"{n:064x}") for n in range(16)), "a lo más 15"),
    "a key is mistyped": (RIGHT + 'langage = "es"\n', "langage: clave desconocida, ¿será language?"),
    "a key is missing": (RIGHT.replace('folder = "web"', ""), "folder: falta"),
    "no port": (RIGHT.replace("127.0.0.1:8443", "127.0.0.1", 1), "listen: debe ser DIRECCIÓN:PUERTO"),
    "a name where an address belongs": (RIGHT.replace("127.0.0.1:8443", "mesa:8443", 1), "listen: debe ser DIRECCIÓN"),
    "an address that is none": (RIGHT.replace("127.0.0.1:8443", "127.0.0.999:8443", 1), "listen: debe ser DIRECCIÓN"),
    "a port of the system": (RIGHT.replace("127.0.0.1:8443", "127.0.0.1:443", 1), "listen: debe ser DIRECCIÓN"),
    "plain over the network": (RIGHT.replace('"127.0.0.1:', '"0.0.0.0:', 1), "listen: sin https los PIN irían"),
    "an origin with a path": (RIGHT.replace('8443"]', '8443/"]'), "origins: http://127.0.0.1:8443/ debe ser"),
    "an origin with a name before it": (RIGHT.replace("//127", "//yo@127"), "origins: http://yo@127"),
    "an origin with its own port": (RIGHT.replace("http://127.0.0.1:8443", "https://mesa:443"), "origins: https://mesa:443"),
    "an origin in large letters": (RIGHT.replace("http://127.0.0.1:8443", "https://Mesa:8443"), "origins: https://Mesa"),
    "no origin": (RIGHT.replace('"http://127.0.0.1:8443"', ""), "origins: deben ser de 1"),
    "both kinds of origins": (RIGHT.replace('8443"]', '8443", "https://mesa:8443"]'), "origins: o todas con https"),
    "a language that is none": (RIGHT + 'language = "fr"\n', "language: debe ser uno de es, en"),
    "a certificate that is not there": (
        RIGHT.replace("http:", "https:") + '[tls]\ncertificate = "a.pem"\nkey = "a.key"\n',
        "a.pem",
    ),
    "a certificate for nothing": (RIGHT + '[tls]\ncertificate = "a.pem"\nkey = "a.key"\n', "tls: hay un certificado"),
    "one folder for two things": (RIGHT.replace('"web"', '"control"'), "folder: es la misma carpeta que control"),
    "signs without what must be said": (RIGHT + 'signs = "letreros.toml"\n', "notices: falta [notices]"),
    "a control folder no socket can have": (RIGHT.replace('"control"', f'"{"c" * 107}"'), "control:"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=list(WRONG))
def test_what_is_wrong_is_said(written, text, said):
    file = written(text)

    assert any(said in problem for problem in problems(file)), problems(file)
    with pytest.raises(DocumentError):
        read_settings(file)


LAYOUTS = {
    "none": ("", "sign: debe haber de 1 a"),
    "twice": (SIGN + SIGN, "el letrero sala está dos veces"),
    "five pots": (SIGN.replace('["estelar"]', '["a", "b", "c", "d", "e"]'), "de 1 a 4 pozos"),
    "no pot": (SIGN.replace('["estelar"]', "[]"), "de 1 a 4 pozos"),
    "a theme elsewhere": (SIGN + 'theme = "../tema"\n', "theme: debe ser"),
    "a language that is none": (SIGN + 'language = "pt"\n', "language: debe ser uno de es, en"),
    "hours that are none": (SIGN + 'dim = "25:00-08:00"\n', "dim: debe ser horas"),
    "a key nobody knows": (SIGN + 'pot = "a"\n', "pot: clave desconocida, ¿será pots?"),
}


@pytest.mark.parametrize(("layouts", "said"), LAYOUTS.values(), ids=list(LAYOUTS))
def test_a_layout_that_is_wrong_is_said(written, layouts, said):
    [problem] = problems(written(f'{RIGHT}signs = "letreros.toml"\n{NOTICES}', layouts))

    assert said in problem and "letreros.toml" in problem and "docs/operators/web.md" in problem


def test_the_command_says_all_of_it_and_ends_as_a_service_understands(written):
    wrong = written(RIGHT.replace('"web"', '"control"').replace('"127.0.0.1:', '"0.0.0.0:', 1))

    done = CliRunner().invoke(web, [str(wrong), "--check"])
    assert done.exit_code == 78
    assert len(done.output.splitlines()) == 2

    done = CliRunner().invoke(web, [str(written(RIGHT)), "--check"])
    assert (done.exit_code, "bien" in done.output) == (0, True)
    assert COMMANDS not in done.output
