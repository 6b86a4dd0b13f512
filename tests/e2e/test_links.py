"""Two casinos and the owner of the pot they share, as real processes: bets, prizes, a cut cable, a killed owner (R-28).

Every figure is worked out by hand from rules.md: of 1,000 wagered 180 are commission, 820 net, of which the reserve
gets 8 %, so 65 or 66 with its carry, and the main pot the rest.
"""

import subprocess

import pytest
from msgspec.structs import replace

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.node.vocabulary.protocol import Deed
from support.node.linked_casinos import BY, OWNER, POT, TABLE, linked
from support.node.node_process import ANA, CARLA, JEFE, POZO, today

pytestmark = pytest.mark.process

BASE = 10_000_000


def grown(*bets):
    """What the main pot has after these bets: commission by casino, the reserve's carry by the pot (R-23)."""
    main, carry = BASE, 0
    for bet in bets:
        net = bet - bet * 180_000 // 1_000_000
        reserve, carry = divmod(net * 80_000 + carry, 1_000_000)
        main += net - reserve
    return main


def test_two_casinos_share_a_pot_through_a_cut_cable_and_a_killed_owner():
    with linked() as three:
        three.introduced()
        bets_at_both_raise_one_meter(three)
        a_full_at_one(three)
        an_escalera_de_color_at_the_other(three)
        main = cut_off_multiples_are_paid_and_percentages_wait(three)
        united_it_is_decided(three, main)
        both_sides_are_equal(three)
        the_day_is_closed_at_both_casinos(three)
        an_auditor_agrees(three)
        a_month_is_the_same_on_every_page(three)


def bets_at_both_raise_one_meter(three):
    three.puerto.bet(1, 5)
    three.valle.bet(2, 2)
    for node in three.nodes.values():
        node.meter(grown(5_000, 2_000))


def a_full_at_one(three):
    """R-14: a multiple is certain; the table's own people verify and pay it."""
    award = three.puerto.claims(Hand(1, claimed="full"))
    assert (award.amount, award.waits) == (500_000, False)
    three.puerto.pays(award)
    for node in three.nodes.values():
        node.meter(grown(5_000, 2_000) - 500_000)


def an_escalera_de_color_at_the_other(three):
    """R-15: the owner says how much a tenth is; at once, while the link stands."""
    three.valle.claims(Hand(2, cards=("5h", "6h", "7h", "8h", "9h")))
    main = grown(5_000, 2_000) - 500_000
    three.valle.until(lambda view: [award.waits for pot in view.pots for award in pot.awards] == [False])
    award = three.valle.award()
    assert award.amount == main // 10
    elsewhere = three.puerto.until(lambda view: [one for pot in view.pots for one in pot.elsewhere])
    (seen,) = [one for pot in elsewhere.pots for one in pot.elsewhere]
    assert (seen.casino, seen.seat, seen.amount) == ("valle", 2, main // 10), "R-31: in front of the other's guests too"
    three.valle.pays(award)
    for node in three.nodes.values():
        node.meter(main - main // 10)
    three.puerto.until(lambda view: not any(pot.elsewhere for pot in view.pots))


def cut_off_multiples_are_paid_and_percentages_wait(three):
    three.rest()
    main = three.norte.pot.main
    three.cables.cut("puerto", "valle")
    three.is_cut(three.puerto, three.valle)

    three.puerto.bet(3, 1)
    full = three.puerto.claims(Hand(3, claimed="full"))
    assert full.amount == 100_000
    three.puerto.pays(full)
    three.valle.bet(4, 2)
    waits = three.valle.claims(Hand(4, cards=("5h", "6h", "7h", "8h", "9h")))
    assert waits.waits
    refused = three.valle.node.ask(ask.ConfirmAward(waits.award, BY, BY), JEFE, ANA)
    assert not refused.ok, "nobody knows its amount"
    three.valle.ask(ask.AdvanceAward(waits.award, main // 20, "cable cortado", BY, BY), JEFE, ANA)
    assert three.valle.award().advanced == main // 20, "half of a tenth"
    far = three.valle.until(lambda view: view.far_pots[0].age > 500).far_pots[0]
    assert (far.pot, far.owner, far.up, far.percentages) == (POT, OWNER, False, (waits.award,))
    assert "porcentajes esperan" in " ".join(alarm.sentence for alarm in three.valle.node.until(bool).alarms)
    assert three.valle.pot.main == main, "nobody adds what the owner has not said"
    return main


def united_it_is_decided(three, main):
    """The owner was killed meanwhile; the one that is heard first is applied first (R-20)."""
    three.norte.kill()
    three.norte.start()
    three.cables.join("puerto")
    three.puerto.until(lambda view: view.neighbours[0].up and not view.neighbours[0].waits)
    three.cables.join("valle")
    three.valle.until(lambda view: [award.waits for pot in view.pots for award in pot.awards] == [False])
    award = three.valle.award()
    before = three.norte.pot.main + award.amount
    assert award.amount == before // 10
    assert main - 100_000 < before < main - 100_000 + 3_000
    house = three.valle.balances()[f"house:{POT}:valle"]
    three.valle.pays(award)
    three.rest()
    assert three.valle.balances()[f"house:{POT}:valle"] == house + main // 20, "the player had it already"
    for node in three.nodes.values():
        node.meter(before - award.amount)


def both_sides_are_equal(three):
    owner = three.norte.balances()
    for casino in three.casinos:
        here, there = casino.balances()[f"clearing:{POT}:{OWNER}"], owner[f"clearing:{POT}:{casino.name}"]
        assert here == -there and here, "equal, with the opposite sign"
        assert not any(account.startswith("dispute:") and amount for account, amount in casino.balances().items())


def the_day_is_closed_at_both_casinos(three):
    for casino in three.casinos:
        view = casino.until(lambda view: view.tables)
        if next(table.phase for table in view.tables if table.table == TABLE) == "sealed":
            casino.ask(ask.ClosePass(TABLE, BY), CARLA)
        assert casino.node.do(Deed.CLOSE_DAY, JEFE).ok
    three.rest()


def a_month_is_the_same_on_every_page(three):
    """R-28: each node's own page of the month, signed with its own key."""
    pages = []
    for node, form in zip(three.nodes.values(), ("--json", "--csv", "--csv"), strict=True):
        said = [POZO, "clearing", today()[:7], node.record, form]
        page = subprocess.run(said, capture_output=True, text=True, timeout=60, check=True).stdout
        pages.append(node.place / "page")
        pages[-1].write_text(page)
    done = subprocess.run(
        [POZO, "clearing", "--check", *pages], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0 and done.stdout.count("FIRMADA: ") == 3, done.stdout + done.stderr
    assert done.stdout.count("IGUAL: ") == 2, done.stdout


def an_auditor_agrees(three):
    """R-27: with each record, and with all three at once: what both sides of a link say is the same."""
    records = [node.end() for node in three.nodes.values()]
    for chosen in (*([one] for one in records), records):
        done = subprocess.run([POZO, "verify", *chosen], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0 and "MAL" not in done.stdout, done.stdout + done.stderr


def test_r34_a_pass_of_a_far_pot_is_put_right_by_the_owner_of_the_pot():
    """Nothing of it is paid before the owner has answered; he reads his record for it while letters go on."""
    with linked() as three:
        three.introduced()
        three.puerto.bet(1, 5)
        color = three.puerto.claims(Hand(1, claimed="color"))
        assert color.amount == 250_000
        right = (Hand(1, cards=("2h", "2d", "2s", "3h", "3d")),)
        three.puerto.ask(ask.CorrectClaim(TABLE, 1, right, "era un Full", BY, BY, recording="c-1"), JEFE, ANA)

        three.puerto.until(lambda view: [a.amount for pot in view.pots for a in pot.awards] == [500_000])
        full = three.puerto.award()
        assert (full.prize, full.confirmed, full.frozen) == ("full", True, False)
        three.puerto.ask(ask.PayAward(full.award, BY), CARLA)
        for node in three.nodes.values():
            node.meter(grown(5_000) - 500_000)
        assert three.norte.kinds().count("claim_corrected") == 1


@pytest.mark.campaign
def test_r20_an_escalera_real_behind_a_cut_cable_is_advanced_in_part_and_paid_the_rest():
    """Two persons of the casino hand out half of what it would be; the decision pays the difference, to the peso."""
    with linked() as three:
        three.introduced()
        three.puerto.bet(1, 5)
        main = BASE  # what its owner said of it last; what was bet since is on the sign, and not on record
        three.cables.cut("valle")
        three.is_cut(three.valle)
        three.valle.bet(4, 2)
        waits = three.valle.claims(Hand(4, cards=("Th", "Jh", "Qh", "Kh", "Ah")))
        advance = ask.AdvanceAward(waits.award, main // 2, "cable cortado", BY, BY)
        refused = three.valle.node.ask(replace(advance, amount=main // 2 + 1), JEFE, ANA)
        assert refused.trouble is not None and refused.trouble.reason == "advance_too_much"
        three.valle.ask(advance, JEFE, ANA)
        assert three.valle.award().advanced == main // 2

        three.cables.join("valle")
        three.valle.until(lambda view: [award.waits for pot in view.pots for award in pot.awards] == [False])
        award = three.valle.award()
        assert award.amount > main and award.advanced == main // 2
        three.norte.node.until(lambda view: [one.advanced for pot in view.pots for one in pot.awards] == [main // 2])
        house = three.valle.balances()[f"house:{POT}:valle"]
        three.valle.pays(award)
        three.rest()
        balances = three.valle.balances()
        assert balances[f"paid:{POT}:valle"] == award.amount, "what he has, all in all"
        assert balances[f"house:{POT}:valle"] == house + main // 2
        both_sides_are_equal(three)
        an_auditor_agrees(three)
