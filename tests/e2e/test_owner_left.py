"""The node that owns a shared pot is killed and never comes back: its two casinos leave it, each with two persons and the
authority's resolution, and play on with a pot of their own, as real processes (R-20, R-28)."""

import subprocess

import pytest

from controller.core import inputs as ask
from controller.core.values import Hand
from controller.node.settings.settings import read_node
from controller.node.vocabulary.protocol import Deed
from support.node.linked_casinos import BY, OWNER, PLAN, POT, TABLE, linked
from support.node.node_process import ANA, CARLA, JEFE, LUIS, POZO

pytestmark = pytest.mark.process

BASE = 10_000_000
"""All that the owner's log ever said of the pot: what was bet since stands on the signs, and not on record."""
FLUSH = Hand(4, cards=("5h", "6h", "7h", "8h", "9h"))


def test_r28_two_casinos_leave_an_owner_that_was_killed_for_good_and_play_on():
    with linked() as three:
        three.introduced()
        three.puerto.bet(1, 5)
        three.rest()
        three.norte.kill()
        three.is_cut(*three.casinos)
        waits = a_percentage_waits(three.valle)
        for casino in three.casinos:
            the_key_is_revoked(casino)
            nobody_plays(casino)
            the_pot_is_left(casino)
        what_waited_is_paid(three.valle, waits)
        for casino, main in ((three.valle, 0), (three.puerto, BASE + 4_100)):
            it_plays_on_alone(casino, main)
        an_auditor_agrees(three)


def a_percentage_waits(valle):
    """R-20: nobody there knows what it will be, and nothing that the owner's people could sign makes it known."""
    valle.bet(4, 2)
    award = valle.claims(FLUSH)
    assert award.waits
    assert not valle.node.ask(ask.ConfirmAward(award.award, BY, BY), JEFE, ANA).ok
    return award


def the_key_is_revoked(casino):
    """Before that nobody leaves: a cable that is cut is no owner who is gone."""
    view = casino.until(lambda view: view.tables)
    if next(table.phase for table in view.tables if table.table == TABLE) == "sealed":
        casino.ask(ask.ClosePass(TABLE, BY), CARLA)
    leave = ask.LeavePot(POT, "Res. 950", BY, BY)
    assert casino.node.ask(leave, ANA, LUIS).trouble.reason == "owner_not_revoked"
    casino.ask(ask.RevokeNeighbour(OWNER, "se quemó con sus copias", BY, BY), ANA, LUIS)


def nobody_plays(casino):
    assert not casino.node.do(Deed.UNLOCK, CARLA, table=TABLE).ok, "no pass opens for a pot whose owner is revoked"


def the_pot_is_left(casino):
    casino.ask(ask.LeavePot(POT, "Res. 950", BY, BY), ANA, LUIS)
    assert casino.node.ask(ask.LeavePot(POT, "Res. 950", BY, BY), ANA, LUIS).trouble.reason == "pot_is_ours"


def what_waited_is_paid(valle, waits):
    """A tenth of what the owner said last: 1,000,000, of which the pot holds what was never sent on, 1,640."""
    valle.until(lambda view: [award.waits for pot in view.pots for award in pot.awards] == [False])
    award = valle.award()
    assert (award.award, award.amount) == (waits.award, BASE // 10)
    valle.pays(award)
    valle.until(lambda view: not any(pot.awards for pot in view.pots))
    balances = valle.balances()
    assert balances[f"paid:{POT}:valle"] == BASE // 10
    assert balances[f"house:{POT}:valle"] == 1_640 - BASE // 10, "the house bears what the clearing lacks"


def it_plays_on_alone(casino, main):
    """R-26: a plan of its own, of two persons, with its own tables; then its table opens and its bets raise its pot. The
    base stands at `puerto`, whose house put it in for the first table of the plan (R-24)."""
    casino.meter(main)
    casino.ask(ask.StagePlan(own_plan(casino.name), ruleset(casino), BY, BY), ANA, LUIS)
    casino.bet(2, 2)
    casino.meter(main + 1_640 - 131)
    assert casino.balances().get(f"clearing:{POT}:{OWNER}", 0) == 0, "nothing stands with him"
    casino.ask(ask.ClosePass(TABLE, BY), CARLA)


def own_plan(name):
    """Of the rows of the tables its own, without a way through another node."""
    head, *rows = PLAN.read_text().split("[[tables]]")
    (row,) = (row for row in rows if f'casino = "{name}"' in row)
    lines = [line for line in row.splitlines() if not line.startswith("node =")]
    return head.replace("Res. Ex. N° 310", "Res. Ex. N° 951") + "[[tables]]" + "\n".join(lines) + "\n"


def ruleset(casino):
    return read_node(casino.place / "node.toml").plans[0].documents.ruleset


def an_auditor_agrees(three):
    records = [casino.end() for casino in three.casinos]
    for chosen in (*([one] for one in records), records):
        done = subprocess.run([POZO, "verify", *chosen], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0 and "BIEN" in done.stdout and "MAL" not in done.stdout, done.stdout + done.stderr
