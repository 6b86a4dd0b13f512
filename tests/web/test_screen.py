"""The eyes of these tests on pages with known faults: what is wrong with a page is seen, whoever did not ask for it."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from support.browser.axe import Judgement, findings
from support.browser.boxes import faults_of_targets
from support.browser.light import flashes, mean_luminance
from support.browser.screen import TEN_INCH, Screen, screen

pytestmark = pytest.mark.process

CSP = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; require-trusted-types-for 'script'"
PAGE = (
    '<!doctype html><html lang="es"><head><title>Prueba</title><link rel="icon" href="icon.svg"><link rel="stylesheet" href="style.css">'
    "{head}</head><body><main><h1>Mesa</h1>{body}</main></body></html>"
)
STYLE = "html{{--mm:5.88px;background:#000;color:#ccc}}h1{{margin:0}}button{{position:absolute;padding:0;border:0;background:#333;color:#fff}}{more}"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def end_headers(self):
        self.send_header("Content-Security-Policy", CSP)
        super().end_headers()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder, and where it is served."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "icon.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def shown(site, browser):
    """`shown(body)` is a screen with this on it; its complaints are the test's affair."""
    folder, origin = site
    opened = []

    def show(body="", more="", head="", script=None):
        (folder / "style.css").write_text(STYLE.format(more=more))
        (folder / "page.html").write_text(PAGE.format(body=body, head=head))
        if script is not None:
            (folder / "page.js").write_text(script)
        opened.append(Screen(browser, origin, TEN_INCH))
        return opened[-1].goes("/page.html")

    yield show
    for one in opened:
        one.close()


def test_a_quiet_page_has_nothing_to_complain_of(shown):
    seen = shown('<button class="a" data-first>Abrir</button>', ".a{left:0;top:100px;width:118px;height:118px}")

    assert seen.complaints == []
    state = seen.seen()
    assert (state.language, state.millimetre) == ("es", pytest.approx(5.88))
    assert [(one.name, one.width, one.first) for one in state.targets] == [("Abrir", 118, True)]
    assert faults_of_targets(state.targets, 5.88) == []
    assert findings(seen.page, ()) == []
    assert mean_luminance(seen.picture("proof-quiet")) < 0.02
    assert not state.overflows


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"head": '<script type="module" src="page.js"></script>', "script": "throw new Error('roto')"}, "roto"),
        ({"head": "<script>1</script>"}, "Content Security Policy"),
        ({"body": '<p style="color:red">x</p>'}, "Content Security Policy"),
        ({"head": '<script src="page.js" type="module"></script>', "script": "document.body.innerHTML = '<b>x</b>'"}, "TrustedHTML"),
        ({"body": '<img alt="" src="not-there.png">'}, "404"),
    ],
    ids=["error", "inline-script", "inline-style", "trusted-types", "missing-file"],
)  # fmt: skip
def test_every_complaint_of_a_page_is_heard(shown, how, words):
    seen = shown(**how)
    seen.page.wait_for_timeout(100)

    assert any(words in one for one in seen.complaints), seen.complaints


def test_a_complaint_fails_the_test_that_did_not_ask(site, browser, shown):
    shown(head="<script>1</script>")

    def look():
        with screen(browser, site[1]) as seen:
            seen.goes("/page.html")
            seen.page.wait_for_timeout(100)

    with pytest.raises(AssertionError, match="Content Security Policy"):
        look()


def test_small_near_and_covered_targets_are_seen_as_a_finger_finds_them(shown):
    style = (
        ".a{left:0;top:100px;width:60px;height:118px}.b{left:64px;top:100px;width:118px;height:118px}"
        ".c{left:400px;top:100px;width:20px;height:20px}.d{left:380px;top:80px;width:90px;height:90px}.e{visibility:hidden}"
    )
    seen = shown("".join(f'<button class="{one}">{one}</button>' for one in "abcde"), style)

    targets = seen.seen().targets

    assert [one.name for one in targets] == ["a", "b", "d"], "c lies under d, e is hidden"
    assert seen.seen().hidden == ["c"]
    assert faults_of_targets(targets, 5.88) == [
        "a: 10.2 x 20.1 mm, 15 mm are needed",
        "a and b: 0.7 mm between them, 2 mm are needed",
    ]


def test_axe_finds_a_button_without_a_name_and_a_judgement_decides_what_axe_cannot(shown):
    seen = shown('<button class="a"></button>', ".a{left:0;top:99px;width:99px;height:99px}")
    assert any("button-name" in one for one in findings(seen.page, ()))

    undecided = shown('<p id="p">Texto</p>', "#p{background-image:linear-gradient(#000,#fff)}")
    (found,) = findings(undecided.page, ())
    assert found.startswith("undecided color-contrast at #p"), found
    assert findings(undecided.page, [Judgement("color-contrast", "#p", "seen")]) == []


def test_digits_are_measured_as_they_are_drawn(shown):
    seen = shown('<p class="n" data-text="digits">1.000</p>', ".n{font:200px 'DejaVu Sans';margin:0}")

    (digits,) = [one for one in seen.seen().texts if one.kind == "digits"]

    assert digits.em == 200
    assert 140 <= digits.tall <= 155, "DejaVu's digits are 0.73 of their em"


def test_a_page_that_flashes_is_filmed(shown):
    steps = ".f{position:absolute;inset:0;animation:f .2s steps(1) infinite}@keyframes f{0%{background:#000}50%{background:#fff}}"
    seen, calm = shown('<div class="f"></div>', steps), None
    with seen.filmed() as frames:
        seen.page.wait_for_timeout(2_000)
    assert flashes(frames) > 3

    calm = shown('<div class="f"></div>', ".f{position:absolute;inset:0;background:#fff}")
    with calm.filmed() as frames:
        calm.page.wait_for_timeout(300)
    assert flashes(frames) == 0


def test_a_page_larger_than_its_screen_is_seen(shown):
    assert shown('<div class="w"></div>', ".w{width:1300px;height:1px}").seen().overflows
