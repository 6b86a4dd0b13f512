"""The jackpot sign in a real browser on a real node: what hangs in the hall is what was committed, or says how old it is (R-31)."""

import json
import time

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand, Signature
from support.browser.boxes import faults_of_texts
from support.browser.casino import CARLA, JULIA, LUIS
from support.browser.enrolling import enrolled
from support.browser.feeding import Fed
from support.browser.light import flashes
from support.browser.screen import SIGN, SIGN_4K, SIGN_UPRIGHT, screen

pytestmark = pytest.mark.process

BY = Signature("")
AMOUNT = ".pot[data-pot=pozo-condor] .amount"
WATCH = """() => {
  globalThis.amounts = [];
  const piece = document.querySelector(".pot[data-pot=pozo-condor] .amount");
  const read = () => Number(piece.textContent.replace(/[^0-9]/g, ""));
  new MutationObserver(() => amounts.push([Date.now(), read()])).observe(piece, {childList: true, subtree: true, characterData: true});
}"""


def wins(house, table, *hands):
    house.ask(ask.RegisterClaim(table, hands, BY), CARLA)
    return sorted(house.awards(table))


def strip(shown):
    return shown.page.locator(".strip").inner_text()


@pytest.mark.parametrize("glass", [SIGN, SIGN_4K, SIGN_UPRIGHT], ids=lambda glass: glass.name)
@pytest.mark.parametrize("layout", ["sala", "condor"])
def test_r31_what_must_be_seen_is_seen_from_ten_metres(house, browser, glass, layout):
    with screen(browser, house.origin, glass) as shown:
        enrolled(shown, "sign", layout)
        shown.until_words("5.000.000", "apuesta", "juegue con responsabilidad", "mayores de 18", "res. ex.")
        shown.picture(f"sign-{layout}")

        assert not shown.seen().overflows
        assert shown.page.evaluate("import('/sign/seen.js').then((look) => look.unseen(document))") == []
        if glass is not SIGN_UPRIGHT:
            assert faults_of_texts(shown.seen().texts, glass.height) == []


@pytest.mark.parametrize("amount", ["$\u00a09.876.543.210", "$\u00a01.111.111.111", "Bs\u00a098.765.432,10"])
def test_ten_digits_fit_lying_and_standing(house, browser, amount):
    for glass in (SIGN, SIGN_UPRIGHT):
        with screen(browser, house.origin, glass) as shown:
            enrolled(shown, "sign", "sala")
            shown.until_words("5.000.000")
            box = shown.page.evaluate(
                """async ([amount, symbol]) => {
                    const {showAmount} = await import("/sign/glass.js");
                    const piece = document.createElement("p");
                    piece.className = "amount";
                    document.querySelector(".pot").append(piece);
                    showAmount(piece, amount, symbol);
                    const range = document.createRange();
                    range.selectNodeContents(piece);
                    return {wide: range.getBoundingClientRect().width, glass: innerWidth};
                }""",
                [amount, amount.split("\u00a0")[0]],
            )
            assert 0.75 * box["glass"] < box["wide"] <= box["glass"]


def test_r31_a_rise_is_never_above_what_is_committed_and_there_within_two_seconds(house, browser):
    with screen(browser, house.origin, SIGN) as shown:
        enrolled(shown, "sign", "condor")
        shown.until_words("pozo cóndor")
        shown.page.evaluate(WATCH)
        before = house.pot().main
        house.sealed("DP-01", s1=5, s2=5, s3=5)
        after = house.until(lambda view: next(one for one in view.pots if one.pot == "pozo-condor").main > before)
        committed = next(one for one in after.pots if one.pot == "pozo-condor").main
        at = time.time() * 1_000
        shown.page.wait_for_function(
            "amount => Number(document.querySelector('.amount').textContent.replace(/[^0-9]/g, '')) === amount",
            arg=committed,
        )
        took = time.time() * 1_000 - at
        seen = [amount for _, amount in shown.page.evaluate("amounts")]

        assert seen == sorted(seen) and seen[-1] == committed and max(seen) <= committed
        assert len(seen) > 5, "it climbs"
        assert took < 2_500, "two seconds, and some patience of a busy machine"
        house.between("DP-01")


def test_r20_r21_a_prize_is_registered_confirmed_celebrated_and_gone(house, browser):
    with screen(browser, house.origin, SIGN) as shown:
        enrolled(shown, "sign", "condor")
        shown.until_words("pozo cóndor")
        house.sealed("DP-01", s3=5)
        (award,) = wins(house, "DP-01", Hand(3, claimed="full"))
        shown.until_words("mesa dp-01 · posición 3 · full · $\u00a0500.000 · por verificar")
        shown.picture("sign-registered")
        with shown.filmed() as frames:
            house.ask(ask.ConfirmAward(award, BY, BY), JULIA, LUIS)
            shown.page.locator(".won").wait_for(state="visible")
            assert "500.000" in shown.page.locator(".won").inner_text()
            assert shown.page.evaluate("import('/sign/seen.js').then((look) => look.unseen(document))") == [
                "amount pozo-condor", "paytable", "strip",
            ], "the words of the law stay"  # fmt: skip
            shown.picture("sign-celebrated")
            time.sleep(3)
        assert flashes(frames) < 3
        shown.page.locator(".won").wait_for(state="hidden", timeout=12_000)
        assert "confirmado" in strip(shown)
        house.ask(ask.PayAward(award, BY), CARLA)
        shown.page.wait_for_function("() => !document.querySelector('.strip[data-prize]')")
        house.between("DP-01")


def test_r34_what_was_not_true_is_withdrawn_in_words(house, browser):
    with screen(browser, house.origin, SIGN) as shown:
        enrolled(shown, "sign", "condor")
        shown.until_words("pozo cóndor")
        house.sealed("DP-01", s4=5)
        (award,) = wins(house, "DP-01", Hand(4, claimed="color"))
        shown.until_words("color · $\u00a0250.000 · por verificar")
        house.ask(ask.RejectClaim(award.rpartition("/")[0], "mal vista", BY, BY), JULIA, LUIS)
        shown.until_words("color · $\u00a0250.000 · retirado tras la verificación")
        shown.picture("sign-withdrawn")
        assert not shown.page.locator(".won").is_visible()
        house.between("DP-01")


def test_never_a_frozen_amount(house, browser):
    """Its web is stopped: after ten seconds the age, after a minute words; and when it comes back, the amount."""
    with screen(browser, house.origin, SIGN) as shown:
        shown.page.clock.install()
        enrolled(shown, "sign", "condor")
        shown.until_words("pozo cóndor", "5.0")
        house.kill_web()
        shown.page.clock.run_for(15_000)
        shown.until_words("de hace 1")
        assert shown.page.locator(AMOUNT).is_visible()
        shown.picture("sign-aged")
        shown.page.clock.run_for(60_000)
        shown.until_words("monto no disponible")
        assert not shown.page.locator(AMOUNT).is_visible()
        shown.picture("sign-too-old")
        house.start_web()
        shown.page.clock.resume()
        shown.page.locator(AMOUNT).wait_for(state="visible", timeout=20_000)


def test_a_sign_speaks_the_language_of_its_layout_and_the_law_as_the_casino_wrote_it(house, browser):
    with screen(browser, house.origin, SIGN) as shown:
        enrolled(shown, "sign", "hall")
        shown.until_words("full house", "bet from $\u00a0", "juegue con responsabilidad")
        house.sealed("DP-01", s3=5)
        (award,) = wins(house, "DP-01", Hand(3, claimed="full"))
        shown.until_words("table dp-01 · seat 3 · full house · $\u00a0500.000 · unverified")
        shown.picture("sign-english")

        assert shown.page.evaluate("document.documentElement.lang") == "en"
        assert shown.page.evaluate("import('/sign/seen.js').then((look) => look.unseen(document))") == []
        assert faults_of_texts(shown.seen().texts, SIGN.height) == []
        house.ask(ask.RejectClaim(award.rpartition("/")[0], "mal vista", BY, BY), JULIA, LUIS)
        shown.until_words("withdrawn after verification")
        house.between("DP-01")


def test_an_amount_that_cannot_be_is_words_and_the_rest_of_the_sign_stays_true(house, browser):
    said = []
    with screen(browser, house.origin, SIGN) as shown:
        shown.page.on("request", lambda one: one.url.endswith("/shown") and said.append(json.loads(one.post_data)))
        enrolled(shown, "sign", "sala")
        shown.until_words("pozo cóndor", "5.0")
        Fed(shown, "sign:sala").shows(lambda told: told["pot/pozo-condor"].update(main=2**63 - 1, most=2**63 - 1))
        shown.until_words("pozo cóndor", "monto no disponible", "juegue con responsabilidad")
        assert not shown.page.locator(AMOUNT).is_visible()
        assert shown.page.locator(".pot[data-pot=pozo-austral] .amount").is_visible()
        with shown.page.expect_request("**/shown"):
            pass
        assert list(said[-1]["pots"]) == ["pozo-austral"], "what is not shown is not told as shown"
        shown.picture("sign-impossible-amount")


HIDES = {
    "it is not there": ".law { display: none }",
    "nobody can see it": ".law { opacity: 0.1 }",
    "it is as dark as its ground": ".law p { color: #111 }",
    "it lies outside": ".law { translate: 0 20vh }",
    "it is cut off": ".law p { height: 0.5vh; overflow: hidden }",
    "something lies over it": "body::after { content: ''; position: fixed; inset: 80vh 0 0 0; background: #000; z-index: 9 }",
}


@pytest.mark.parametrize("trick", HIDES)
def test_a_theme_that_hides_what_must_be_seen_is_taken_off_and_said(house, browser, trick):
    with screen(browser, house.origin, SIGN) as shown:
        shown.context.route(
            "**/sign/themes/*.css", lambda asked: asked.fulfill(body=HIDES[trick], content_type="text/css")
        )
        said = []
        shown.page.on("request", lambda one: one.url.endswith("/shown") and said.append(json.loads(one.post_data)))
        shown.page.clock.install()
        enrolled(shown, "sign", "condor")
        shown.until_words("pozo cóndor")
        shown.page.wait_for_function("() => document.querySelector('link[href*=themes]')?.sheet")
        shown.page.clock.run_for(62_000)
        shown.page.wait_for_function("() => !document.querySelector('link[href*=themes]')")
        shown.page.clock.run_for(5_000)
        assert shown.page.evaluate("import('/sign/seen.js').then((look) => look.unseen(document))") == []
        assert any(one["unseen"] for one in said), "the chief hears of it"


def test_it_says_what_it_shows_as_it_reads_it_from_its_own_glass(house, browser):
    with screen(browser, house.origin, SIGN) as shown:
        said = []
        shown.page.on("request", lambda one: one.url.endswith("/shown") and said.append(json.loads(one.post_data)))
        enrolled(shown, "sign", "sala")
        shown.until_words("pozo cóndor")
        pots = {one: house.pot(one).main for one in ("pozo-condor", "pozo-austral")}
        with shown.page.expect_request("**/shown"):
            pass
        assert said[-1] == {"pots": pots, "unseen": []}
        shown.page.evaluate("document.querySelector('.amount').append('9')")
        shown.page.wait_for_function(
            "wanted => Number(document.querySelector('.amount').textContent.replace(/[^0-9]/g, '')) === wanted",
            arg=pots["pozo-condor"],
        )
