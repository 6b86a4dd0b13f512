"""A sign that hangs: what its browser may do, its unit as systemd sees it, and its very command line on a screen that nobody sees."""

import http.server
import json
import mmap
import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from controller.node.service.debian import InstallRefused, install, uninstall
from controller.web.door.tls import AUTHORITY, MADE, sealed_with_our_own
from support.drivers import peers
from support.places import ROOT

UNIT = ROOT / "systemd/pozo-kiosk@.service"
PAGES = ROOT / "controller/web/pages"
ALWAYS = json.loads((ROOT / "systemd/pozo-kiosk-policies.json").read_text())
POLICIES = "etc/chromium/policies/managed/pozo-kiosk.json"
CHROMIUM = "/usr/lib/chromium/chromium"
MOST_EXPOSED = 23  # tenths: a compositor draws, and a browser makes its own sandbox
NOBODY = 65_534
PATIENCE = 60


@pytest.fixture(autouse=True)
def _not_hidden(monkeypatch):
    monkeypatch.setattr("controller.node.service.debian._HOMES", ("home",))


@pytest.fixture
def machine(tmp_path):
    """A machine where `hangs(NAME, TEXT)` says what hangs at it, and installs."""
    program = tmp_path / "pozo"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return Machine(tmp_path / "root", program)


class Machine:
    def __init__(self, root, program):
        self.root, self.program = root, program

    def hangs(self, name, text):
        path = self.root / "etc/pozo/kiosk" / f"{name}.env"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def installs(self):
        return {one.place.removeprefix(f"{self.root}/"): one.what for one in install(self.root, self.program)}

    @property
    def policies(self):
        return json.loads((self.root / POLICIES).read_text())


def openssl(*arguments):
    done = subprocess.run([peers.program("openssl"), *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture
def authority(tmp_path):
    """Of a casino, by a foreign hand: `ca.pem`, and `web.pem` with its key that it signed for this machine."""
    folder = tmp_path / "authority"
    folder.mkdir()
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "30")
    ca, web = folder / "ca.pem", folder / "web.pem"
    openssl("req", "-x509", *key, "-subj", "/CN=Casino", "-keyout", folder / "ca.key", "-out", ca)
    openssl(
        "req", "-x509", *key, "-CA", ca, "-CAkey", folder / "ca.key", "-subj", "/CN=mesa", "-keyout", folder / "web.key",
        "-out", web, "-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
    )  # fmt: skip
    web.write_text((folder / "web.key").read_text() + web.read_text())
    return folder


# What `pozo install` makes of it.


@pytest.mark.process
def test_where_a_sign_hangs_the_browser_opens_its_pages_and_believes_its_authority(machine, authority):
    (machine.root / "etc/pozo/kiosk").mkdir(parents=True)
    shutil.copy(authority / "ca.pem", machine.root / "etc/pozo/kiosk/casa.pem")
    text = '# el letrero\nURL="https://mesa-1.casino:8443/sign/?place=sala"\nCA=/etc/pozo/kiosk/casa.pem\n'
    machine.hangs("sala", text)

    assert machine.installs()[POLICIES] == "written"
    assert machine.policies["URLBlocklist"] == ["*"]
    assert machine.policies["URLAllowlist"] == [
        "https://.mesa-1.casino:8443/ground/",
        "https://.mesa-1.casino:8443/sign/",
    ]
    (told,) = machine.policies["CACertificates"]
    assert told == "".join((authority / "ca.pem").read_text().splitlines()[1:-1])
    assert machine.installs()[POLICIES] == "kept"


def test_where_no_sign_hangs_the_browser_is_somebody_elses(machine):
    assert POLICIES not in machine.installs()
    assert (machine.root / "etc/pozo/kiosk/sala.env.ejemplo").exists()

    path = machine.hangs("sala", "URL=http://127.0.0.1:8080/sign/\n")
    assert machine.installs()[POLICIES] == "written"
    assert machine.policies["URLAllowlist"] == ["http://127.0.0.1:8080/ground/", "http://127.0.0.1:8080/sign/"]
    assert machine.policies["CACertificates"] == []
    path.unlink()
    assert machine.installs()[POLICIES] == "removed"
    assert not (machine.root / POLICIES).exists()


def test_the_example_becomes_a_sign_when_it_is_copied(machine):
    machine.installs()
    machine.hangs("sala", (machine.root / "etc/pozo/kiosk/sala.env.ejemplo").read_text())

    assert machine.installs()[POLICIES] == "written"


def test_uninstalling_gives_the_browser_back(machine):
    machine.hangs("sala", "URL=https://[fd00::1]/sign/\n")
    machine.installs()
    assert machine.policies["AutoplayAllowlist"] == ["https://[fd00::1]"]

    assert POLICIES in {one.place.removeprefix(f"{machine.root}/") for one in uninstall(machine.root)}
    assert (machine.root / "etc/pozo/kiosk/sala.env").exists()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "URL=",
        "URL=http://mesa-1/sign/",
        "URL=https:///sign/",
        "URL=https://mesa-1/croupier/",
        "# URL=https://m/sign/",
    ],
)
def test_what_is_no_sign_s_address_is_refused_before_anything_is_written(machine, text):
    machine.hangs("sala", text)

    with pytest.raises(InstallRefused, match=r"sala\.env: URL debe ser la página de un letrero"):
        machine.installs()
    assert not (machine.root / "etc/systemd").exists()


@pytest.mark.process
@pytest.mark.parametrize("held", ["nothing", "noise", "a server's own"])
def test_what_is_no_authority_is_refused(machine, authority, held):
    path = machine.hangs("sala", "URL=https://mesa-1/sign/\nCA=/etc/pozo/kiosk/casa.pem\n").with_name("casa.pem")
    if held != "nothing":
        path.write_text("noise" if held == "noise" else (authority / "web.pem").read_text())

    with pytest.raises(InstallRefused, match=r"casa\.pem: no (se puede leer|es el certificado de una autoridad)"):
        machine.installs()


# What systemd and the browser say.


@pytest.mark.process
def test_systemd_finds_nothing_wrong_with_the_unit_and_it_is_as_hard_as_a_screen_allows(tmp_path):
    analyze, made = peers.program("systemd-analyze"), tmp_path / "pozo-kiosk@sala.service"
    text = UNIT.read_text()
    for command in ("cage", "chromium"):
        text = text.replace(f"/usr/bin/{command}", "/bin/true")  # a machine without a screen has them not
    made.write_text(text)
    done = subprocess.run([analyze, "verify", "--man=no", str(made)], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "pozo" in line]
    assert (done.returncode, ours) == (0, [])

    done = subprocess.run(
        [analyze, "security", "--offline=true", str(UNIT)], capture_output=True, text=True, check=False
    )
    level = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert level is not None and float(level[1]) * 10 <= MOST_EXPOSED, done.stdout


def test_a_sign_waits_for_the_graphics_alone_and_never_gives_up():
    told = UNIT.read_text().splitlines()

    assert [line for line in told if line.startswith(("After=", "Requires=", "Wants="))] == [
        "Wants=seatd.service",
        "After=seatd.service getty@tty1.service",
    ]
    assert {"Restart=always", "StartLimitIntervalSec=0", "User=pozo-kiosk"} <= set(told)
    assert "\nm pozo-kiosk pozo\n" not in (ROOT / "systemd/pozo-kiosk.sysusers").read_text()


def test_the_browser_of_this_machine_knows_every_policy():
    if not os.path.exists(CHROMIUM):  # noqa: PTH110  a name of the machine
        peers.absent("chromium")
    with open(CHROMIUM, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as program:  # noqa: PTH123
        unknown = [name for name in ALWAYS if program.find(b"\0" + name.encode() + b"\0") < 0]
        assert program.find(b"\0NoPolicyHasThisName\0") < 0

    assert unknown == []


# The unit's own line, on a screen that nobody sees.


def lines_of_the_unit(place, url, *more):
    """What systemd would start, and with which environment; what it would put in the place of its words stands here."""
    text = UNIT.read_text().replace("%S", str(place)).replace("%t", str(place)).replace("%i", "sala")
    environment = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"^Environment=(.*)$", text, re.MULTILINE))))
    (line,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    words = [word for word in line.split() if word not in ("$CAGE", "${URL}")]
    before = [first.split() for first in re.findall(r"^ExecStartPre=(.*)$", text, re.MULTILINE)]
    return before, [*words, *more, url], environment


@contextmanager
def hung(place, machine, url, *more):
    """It runs as nobody, with the policies of the machine, in no group, with no capability and none to gain."""
    before, words, environment = lines_of_the_unit(place, url, *more)
    for folder in {environment["HOME"], environment["XDG_RUNTIME_DIR"]}:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103
    for folder in (place, *place.rglob("*")):
        os.chown(folder, NOBODY, NOBODY, follow_symlinks=False)
    for first in before:
        subprocess.run(first, check=True)
    bound = (
        "mount -t tmpfs none /etc/chromium && mkdir /etc/chromium/policies && mount --bind $0 /etc/chromium/policies"
        " && mount -t tmpfs -o mode=1777 none /tmp"
    )
    nobody = (
        f"setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all"
    )
    with (
        (place / "log").open("w+") as log,
        subprocess.Popen(
            ["unshare", "-m", "sh", "-c", f'{bound} && exec {nobody} -- "$@"', machine.root / "etc/chromium/policies", *words],
            env={"PATH": "/usr/bin:/bin", "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", **environment},
            stdout=log, stderr=log, start_new_session=True,
        ) as process,
    ):  # fmt: skip
        try:
            yield Hung(process, place / "log")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def served(folder, certificate):
    """Pages over TLS; the paths that were asked for."""
    asked = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *more):
            super().__init__(*more, directory=str(folder))

        def do_GET(self):
            asked.append(self.path)
            super().do_GET()

        def end_headers(self):
            self.send_header("Cache-Control", "no-store")  # so that it is asked for each time
            super().end_headers()

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], asked
        server.shutdown()


class Hung:
    def __init__(self, process, log):
        self.process, self.log = process, log

    def until(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert self.process.poll() is None and time.monotonic() < end, self.said()
            time.sleep(0.05)

    def said(self):
        return self.log.read_text()


@pytest.fixture
def place():
    """Where nobody may go, other than /tmp, which is the service's own."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else, and bind the browser of this machine")
    for tool in ("cage", "Xwayland", "unshare", "setpriv", "chromium"):
        peers.program(tool)
    made = Path(tempfile.mkdtemp(prefix="pk", dir="/var/tmp"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


_TRIES = """<body><script>
document.body.append(Object.assign(document.createElement("iframe"), { src: "/croupier/" }));
setTimeout(() => fetch("/over"), 1500);
</script>"""


def a_sign(machine, authority, port):
    path = machine.hangs("sala", f"URL=https://127.0.0.1:{port}/sign/?place=sala\nCA=/etc/pozo/kiosk/casa.pem\n")
    shutil.copy(authority / "ca.pem", path.with_name("casa.pem"))
    machine.installs()


@pytest.mark.process
def test_the_unit_s_line_shows_the_sign_of_the_casino_s_own_authority_and_nobody_looks_into_it(
    machine, authority, place
):
    """It is enrolled nowhere, so the page of the sign, once its scripts ran, asks for the enrolment."""
    with served(PAGES, authority / "web.pem") as (port, asked):
        a_sign(machine, authority, port)
        url = f"https://127.0.0.1:{port}/sign/?place=sala"
        with hung(place, machine, url, "--remote-debugging-port=0") as sign:
            sign.until(lambda: "/ground/enrol.js" in asked)
            assert "/ground/enrol.html?use=sign&place=sala" in asked
            assert "DevTools remote debugging is disallowed by the system admin" in sign.said()


@pytest.mark.process
def test_the_authority_that_pozo_web_made_for_itself_is_believed(machine, place, tmp_path):
    held = tmp_path / "web"
    sealed_with_our_own(held, frozenset({"127.0.0.1", "mesa-1.casino"}))
    shutil.copy(held / AUTHORITY, held / "ca.pem")
    with served(PAGES, held / MADE) as (port, asked):
        a_sign(machine, held, port)
        with hung(place, machine, f"https://127.0.0.1:{port}/sign/") as sign:
            sign.until(lambda: "/sign/sign.js" in asked)


@pytest.mark.process
def test_cut_off_in_the_middle_it_comes_back_also_where_the_machine_has_another_name(machine, authority, place):
    """A browser that was killed leaves a lock with the machine's name, and one of another name is never taken away by it."""
    with served(PAGES, authority / "web.pem") as (port, asked):
        a_sign(machine, authority, port)
        for _ in range(2):
            asked.clear()
            with hung(place, machine, f"https://127.0.0.1:{port}/sign/") as sign:
                sign.until(lambda: "/ground/enrol.js" in asked)
            lock = place / "pozo-kiosk/sala/browser/SingletonLock"
            lock.unlink()
            lock.symlink_to("another-name-4711")


@pytest.mark.process
def test_no_other_page_of_that_address_opens(machine, authority, place, tmp_path):
    for name, page in (("sign", _TRIES), ("croupier", "")):
        (tmp_path / "pages" / name).mkdir(parents=True)
        (tmp_path / "pages" / name / "index.html").write_text(page)
    with served(tmp_path / "pages", authority / "web.pem") as (port, asked):
        a_sign(machine, authority, port)
        with hung(place, machine, f"https://127.0.0.1:{port}/sign/") as sign:
            sign.until(lambda: "/over" in asked)
            assert "/croupier/" not in asked
            assert "/sign/" in asked
