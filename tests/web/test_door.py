"""Who is let in by the web process, and what each attack on that gets: stolen cookies and keys, other sites' pages."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.values import TerminalUse
from controller.node.vocabulary.house import TerminalNow
from controller.web.door.challenges import GOOD_FOR, MOST_USED, Challenges
from controller.web.door.door import Door, WebRequest
from controller.web.door.origin import headers_of, ours, refuse_foreign, refuse_foreign_look
from controller.web.door.sessions import IDLE, LONGEST, MOST_OF_ALL, MOST_OF_TERMINAL, SEALED_COOKIE, Sessions
from controller.web.door.signature import is_key, said_act, signed_by
from controller.web.door.terminals import may_look
from controller.web.door.turned_back import TurnedBack
from drivers.session import SECOND
from support.web.browser_double import HOST, ORIGIN, BrowserKey, looked, new_id, posted

KEY, OTHER = BrowserKey(1), BrowserKey(2)
CONSOLE = TerminalNow("consola-1", TerminalUse.TABLE, KEY.public, "M1")
TABLET = TerminalNow("tableta", TerminalUse.CHIEF, OTHER.public)
ACT = "/api/v1/acts"


class House:
    """A door that knows these terminals, and a clock that a test turns."""

    def __init__(self, *terminals):
        self.now = 1_000 * SECOND
        self.door = Door(ours([ORIGIN]), lambda: self.now)
        self.door.terminals.told(terminals or (CONSOLE, TABLET))

    def hello(self, name="consola-1", key=KEY, cookie="", origin=ORIGIN):
        challenge = self.door.challenge()
        welcome = self.door.hello(
            posted("/api/v1/hello", {}, cookie=cookie), name, challenge, key.hello(challenge, origin)
        )
        return welcome.cookie.partition(";")[0]


def no(work, *arguments):
    with pytest.raises(TurnedBack) as refused:
        work(*arguments)
    return refused.value.status, refused.value.trouble.reason


@pytest.fixture
def house():
    return House()


def test_a_terminal_that_proves_its_key_is_in_and_signs_what_it_asks(house):
    cookie = house.hello()

    assert house.door.looks(looked("/api/v1/house", cookie)).terminal == CONSOLE
    assert house.door.asks(posted(ACT, {"id": new_id()}, KEY, cookie)).terminal == CONSOLE


def test_the_cookie_is_this_hosts_alone_and_no_script_reads_it(house):
    challenge = house.door.challenge()
    whole = house.door.hello(posted("/api/v1/hello", {}), "consola-1", challenge, KEY.hello(challenge)).cookie

    name, _, rest = whole.partition("=")
    number, *kept = rest.split("; ")
    assert name == "__Host-pozo" and len(number) == 43
    assert set(kept) == {"Path=/", "Secure", "HttpOnly", "SameSite=Strict"}, "no Domain, no date"


def test_a_session_that_somebody_laid_ready_is_none_and_hello_makes_a_new_one(house):
    planted = "__Host-pozo=" + "A" * 43
    assert no(house.door.looks, looked("/api/v1/house", planted)) == (401, "no_session")

    cookie = house.hello(cookie=planted)
    assert cookie != planted
    assert no(house.door.looks, looked("/api/v1/house", planted)) == (401, "no_session")
    again = house.hello(cookie=cookie)
    assert again != cookie
    assert no(house.door.looks, looked("/api/v1/house", cookie)) == (401, "no_session"), "the one before is over"


def test_two_cookies_of_our_name_are_none(house):
    """Another program of the same host cannot lay its own before ours."""
    cookie = house.hello()

    assert no(house.door.looks, looked("/api/v1/house", f"{cookie}; {cookie}"))[0] == 401
    assert house.door.looks(looked("/api/v1/house", f"a=b; {cookie}; c=d")).terminal == CONSOLE


def test_a_stolen_cookie_looks_for_a_while_and_asks_nothing(house):
    cookie = house.hello()

    assert no(house.door.asks, posted(ACT, {"id": new_id()}, None, cookie)) == (403, "not_signed")
    assert no(house.door.asks, posted(ACT, {"id": new_id()}, OTHER, cookie)) == (403, "not_signed")
    assert house.door.looks(looked("/api/v1/house", cookie))
    house.now += IDLE
    assert no(house.door.looks, looked("/api/v1/house", cookie))[0] == 401


def test_a_key_without_its_cookie_asks_nothing(house):
    assert no(house.door.asks, posted(ACT, {"id": new_id()}, KEY)) == (401, "no_session")


def test_a_terminal_that_was_withdrawn_or_has_another_key_is_out_at_once(house):
    cookie = house.hello()
    admitted = house.door.looks(looked("/api/v1/house", cookie))
    assert house.door.still(admitted)

    house.door.terminals.told([TABLET])
    assert not house.door.still(admitted)
    assert no(house.door.asks, posted(ACT, {}, KEY, cookie)) == (401, "no_session")
    assert no(house.hello) == (403, "not_signed")
    house.door.terminals.told([TerminalNow("consola-1", TerminalUse.TABLE, OTHER.public, "M1"), TABLET])
    assert no(house.door.asks, posted(ACT, {}, KEY, cookie))[0] == 401
    assert no(house.door.asks, posted(ACT, {}, OTHER, cookie))[0] == 401, "the old session is of the old key"


def test_a_terminal_of_another_name_is_not_taken_for_it(house):
    assert no(house.hello, "tableta", KEY) == (403, "not_signed")
    assert no(house.hello, "nadie", KEY) == (403, "not_signed")


def test_a_challenge_is_good_once_for_a_minute_at_our_own_address(house):
    challenge = house.door.challenge()
    signature = KEY.hello(challenge)
    hello = posted("/api/v1/hello", {})

    assert (
        no(house.door.hello, hello, "consola-1", challenge, KEY.hello(challenge, "https://mesa-1.mal.example"))[0]
        == 403
    )
    house.now += GOOD_FOR - 1
    assert house.door.hello(hello, "consola-1", challenge, signature)
    assert no(house.door.hello, hello, "consola-1", challenge, signature)[0] == 403
    late = house.door.challenge()
    house.now += GOOD_FOR
    assert no(house.door.hello, hello, "consola-1", late, KEY.hello(late))[0] == 403
    foreign = Challenges().new(house.now)
    assert no(house.door.hello, hello, "consola-1", foreign, KEY.hello(foreign))[0] == 403


def test_a_million_challenges_fill_nothing_and_so_many_hellos_wait():
    challenges = Challenges()
    used = [challenges.new(0) for _ in range(MOST_USED)]

    assert challenges._used == {}
    assert all(challenges.use(one, 0) for one in used)
    assert not challenges.use(challenges.new(0), 1)
    assert challenges.use(challenges.new(0), GOOD_FOR)


def test_what_was_signed_for_one_address_or_body_is_worth_nothing_for_another(house):
    cookie = house.hello()
    signed = posted(ACT, {"id": new_id()}, KEY, cookie)

    for path, body in (("/api/v1/preview", signed.body), (ACT, signed.body + b" "), (ACT, b"")):
        moved = WebRequest("POST", path, signed.headers, body)
        assert no(house.door.asks, moved) == (403, "not_signed")
    elsewhere = {**signed.headers, "origin": "https://otra.example"}
    assert no(house.door.asks, WebRequest("POST", ACT, elsewhere, signed.body)) == (403, "not_signed")


@pytest.mark.parametrize(
    "signature", ["", "A" * 86, "A" * 85, "_" * 86, "A" * 200, "ñ" * 86, "=" * 86, "\n" * 86, "A" * 43 + "/" * 43]
)
def test_what_is_no_signature_is_none(signature):
    assert not signed_by(KEY.public, signature, b"x")


def test_a_signature_is_written_without_padding():
    good = KEY.signs(b"x")
    assert signed_by(KEY.public, good, b"x")
    assert not signed_by(KEY.public, good + "==", b"x")


@pytest.mark.parametrize(
    "key",
    ["", "04", "04" + "0" * 128, "02" + KEY.public[2:66], KEY.public.upper(), KEY.public[:-1] + "g", "04" + "f" * 128],
)
def test_what_is_no_point_of_the_curve_is_no_key(key):
    assert not is_key(key) and not signed_by(key, KEY.signs(b"x"), b"x")


@given(st.binary(max_size=64), st.text(max_size=90))
def test_nothing_by_chance_is_signed(said, signature):
    assert not signed_by(KEY.public, signature, said_act(ORIGIN, ACT, said))


def page(**changed):
    told = {"host": HOST, "origin": ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json"}
    return {name: value for name, value in (told | changed).items() if value is not None}


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"origin": "https://casino.mal.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": None}, 403),
        ({"origin": ORIGIN.upper()}, 403),
        ({"origin": ORIGIN + "."}, 403),
        ({"origin": ORIGIN.replace("https", "http")}, 403),
        ({"origin": ORIGIN.replace(":8443", "")}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"sec-fetch-site": None}, 403),
        ({"host": "casino.mal.example"}, 403),
        ({"host": None}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "multipart/form-data; boundary=x"}, 415),
        ({"content-type": "application/json5"}, 415),
        ({"content-type": None}, 415),
    ],
)
def test_a_form_or_a_script_of_another_site_changes_nothing(changed, status):
    assert no(refuse_foreign, "POST", page(**changed), ours([ORIGIN]))[0] == status


def test_a_page_of_ours_is_heard_and_of_two_addresses_each_is_its_own():
    here = ours([ORIGIN, "https://10.0.0.7:8443"])

    refuse_foreign("POST", page(), here)
    refuse_foreign("POST", page(**{"content-type": "application/json; charset=utf-8"}), here)
    assert no(refuse_foreign, "POST", page(origin="https://10.0.0.7:8443"), here)[0] == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site", "x"])
def test_a_page_of_another_site_loads_nothing_of_the_api(site):
    assert no(refuse_foreign_look, {"sec-fetch-site": site})[0] == 403
    refuse_foreign_look({"sec-fetch-site": "none"})
    refuse_foreign_look({})


def test_a_header_that_counts_stands_once():
    assert headers_of([(b"Host", b"a"), (b"Accept", b"x"), (b"accept", b"y")]) == {"host": "a"}
    assert no(headers_of, [(b"Host", b"a"), (b"host", b"b")]) == (400, "malformed")


def test_sessions_are_few_of_one_terminal_and_bounded_in_all():
    sessions = Sessions(SEALED_COOKIE)
    numbers = [sessions.open("consola-1", KEY.public, at)[0] for at in range(MOST_OF_TERMINAL + 1)]
    assert sessions.of(f"__Host-pozo={numbers[0]}", 9) is None
    assert sessions.of(f"__Host-pozo={numbers[1]}", 9) is not None
    for at in range(MOST_OF_ALL + 10):
        sessions.open(f"t{at}", KEY.public, 10)
    assert len(sessions._held) == MOST_OF_ALL
    assert not any(number in json.dumps([*sessions._held]) for number in numbers), "what is kept is a hash"


def test_a_session_that_is_used_all_the_time_ends_after_a_day():
    sessions = Sessions(SEALED_COOKIE)
    number, _ = sessions.open("consola-1", KEY.public, 0)
    for at in range(0, LONGEST, IDLE // 2):
        assert sessions.of(f"__Host-pozo={number}", at) is not None
    assert sessions.of(f"__Host-pozo={number}", LONGEST) is None


def test_before_the_node_has_said_who_is_enrolled_nobody_is_told_that_he_is_not():
    door = Door(ours([ORIGIN]), lambda: 0)
    assert no(door.hello, posted("/api/v1/hello", {}), "consola-1", "", "") == (503, "starting")


def test_each_terminal_looks_at_its_own_scopes():
    sign = TerminalNow("cartel", TerminalUse.SIGN, KEY.public, "sala")
    scopes = ["table:M1", "table:M2", "floor", "sign:sala", "sign:otro", "table:", "x", "", "floor:", "sign"]

    assert [one for one in scopes if may_look(CONSOLE, one)] == ["table:M1"]
    assert [one for one in scopes if may_look(sign, one)] == ["sign:sala"]
    assert [one for one in scopes if may_look(TABLET, one)] == [
        "table:M1",
        "table:M2",
        "floor",
        "sign:sala",
        "sign:otro",
    ]
