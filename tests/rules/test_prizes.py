"""R-29: complementary prizes as a law allows them and a plan gives them, and what a plan must say today."""

import pytest

from controller.documents import shelf
from controller.rules.document import DocumentError
from controller.rules.plan import load_plan, refuse_outdated
from controller.rules.prizes import DrawnBy, PaidIn, Tender, exclude_each_other
from controller.rules.ruleset import load_ruleset

STELAR, PUERTO, ILLIMANI = (
    (shelf() / "plans" / f"{name}.toml").read_text() for name in ("pozo-estelar", "puerto-norte", "illimani")
)
AJ, ARICA = ((shelf() / "rulesets" / f"{name}.toml").read_text() for name in ("aj-bolivia", "arica-2017"))
PROMO = """
[[complementary]]
name = "Estrella"
amount = 5000
drawn = "seat"
paid_in = "promotional_credits"
from = "house"
one_in = 40
authorisation = "Aut. 7"
"""
CARD = """
[[complementary]]
name = "Carta"
amount = 5000
drawn = "card"
paid_in = "cash"
from = "main"
one_in = 40
"""


def with_prizes(plan, *prizes):
    at = plan.index("[[tables]]")
    return plan[:at] + "".join(prizes) + plan[at:]


def wrong_today(rulesets, text):
    """The key that a plan of today is refused for; it can be read all the same."""
    plan = load_plan(text, "x.toml", rulesets)
    with pytest.raises(DocumentError) as caught:
        refuse_outdated(plan, "x.toml")
    assert (caught.value.file, caught.value.rule) == ("x.toml", "R-29")
    return caught.value.key


def test_r29_the_shipped_plans_say_what_a_plan_must_say_today(rulesets):
    for path in sorted((shelf() / "plans").glob("*.toml")):
        refuse_outdated(load_plan(path.read_text(), str(path), rulesets), str(path))


def test_r29_promotional_credits_need_the_number_of_their_authorisation(rulesets):
    plan = load_plan(with_prizes(STELAR, PROMO), "x", rulesets)

    refuse_outdated(plan, "x")
    assert (plan.prizes[0].authorisation, plan.prizes[0].is_promotional) == ("Aut. 7", True)
    without = with_prizes(STELAR, PROMO.replace('authorisation = "Aut. 7"\n', ""))
    assert wrong_today(rulesets, without) == "complementary[0].authorisation"


def test_r1_r29_promotional_credits_are_whole_credits(rulesets):
    odd = with_prizes(STELAR, PROMO.replace("amount = 5000", "amount = 5500"))

    assert wrong_today(rulesets, odd) == "complementary[0].amount"
    cash = odd.replace("promotional_credits", "cash").replace('from = "house"', 'from = "main"')
    refuse_outdated(load_plan(cash, "x", rulesets), "x")


def test_r29_a_contest_of_cards_is_only_where_the_law_s_authority_named_it(rulesets):
    assert wrong_today(rulesets, with_prizes(STELAR, PROMO, CARD)) == "complementary[1].drawn"
    bolivia = with_prizes(ILLIMANI, CARD.replace("cash", "chips"))
    assert wrong_today(rulesets, bolivia) == "complementary[0].drawn"
    other = PUERTO.replace('name = "Carta Mágica"\namount', 'name = "Otra Carta"\namount')
    other = other.replace('excludes = ["Carta Mágica"]', 'excludes = ["Otra Carta"]')
    assert wrong_today(rulesets, other) == "complementary[1].drawn"
    assert load_plan(PUERTO, "x", rulesets).prizes[1].drawn is DrawnBy.CARD


def test_r29_what_the_decree_names_is_promotional_and_one_of_two_in_a_pass(rulesets):
    lucky, card = load_plan(PUERTO, "x", rulesets).prizes

    assert exclude_each_other(lucky, card) and exclude_each_other(card, lucky)
    cash = PUERTO.replace('paid_in = "promotional_credits"\nfrom = "house"', 'paid_in = "cash"\nfrom = "main"', 1)
    assert wrong_today(rulesets, cash) == "complementary[0].paid_in"
    once = PUERTO.replace('excludes = ["Carta Mágica"]\n', "")
    refuse_outdated(load_plan(once, "x", rulesets), "x")
    both = once.replace('excludes = ["Jugador Afortunado"]\n', "")
    assert wrong_today(rulesets, both) == "complementary[0].excludes"
    one, other = load_plan(both, "x", rulesets).prizes
    assert not exclude_each_other(one, other)


@pytest.mark.parametrize(
    "excludes",
    ['["Jugador Afortunado"]', '["Nadie"]', '["Carta Mágica", "Carta Mágica"]', '"Carta Mágica"', '[""]', "[7]"],
)
def test_r29_a_prize_excludes_others_of_its_plan(rulesets, excludes):
    with pytest.raises(DocumentError) as caught:
        load_plan(PUERTO.replace('["Carta Mágica"]', excludes), "x", rulesets)
    assert caught.value.key == "complementary[0].excludes"


def test_r29_a_law_says_what_the_decree_says_of_its_prizes_and_older_texts_said_less():
    lucky, card = load_ruleset(ARICA, "x").complementary.named

    assert (lucky.paid_in, lucky.excludes) == (PaidIn.PROMOTIONAL_CREDITS, ("Carta Mágica",))
    assert (card.paid_in, card.excludes) == (PaidIn.PROMOTIONAL_CREDITS, ("Jugador Afortunado",))
    kept = (line for line in ARICA.splitlines() if not line.startswith(("excludes", 'paid_in = "promo')))
    old = load_ruleset("\n".join(kept), "x").complementary.named
    assert {(prize.paid_in, prize.excludes) for prize in old} == {(None, ())}


def test_r29_a_plan_under_an_older_text_of_the_law_may_have_both_in_cash(rulesets):
    """F: its authority had not said more."""
    kept = (line for line in ARICA.splitlines() if not line.startswith(("excludes", 'paid_in = "promo')))
    law = load_ruleset("\n".join(kept), "x")
    cash = PUERTO.replace('paid_in = "promotional_credits"\nfrom = "house"', 'paid_in = "cash"\nfrom = "main"')

    refuse_outdated(load_plan(cash, "x", {law.name: law}), "x")


def test_r29_bolivia_knows_chips_alone():
    payment = load_ruleset(AJ, "x").payment

    assert payment is not None
    assert (payment.awards_in, payment.credits_for) == (Tender.CHIPS, Tender.CHIPS)
    assert load_ruleset(ARICA, "x").payment is None
    for wrong in ('awards_in = "gold"', 'awards_in = "chips"\nx = 1'):
        with pytest.raises(DocumentError, match="payment"):
            load_ruleset(AJ.replace('awards_in = "chips"', wrong), "x")
