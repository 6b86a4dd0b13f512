"""The owner of a shared pot is killed after it decided 100 % and it was paid, comes back from a backup of before, and is linked
again, as real processes: nothing is decided twice (R-20, R-27, R-28)."""

import shutil
import subprocess

import pytest

from controller.core.values import Hand
from support.node.linked_casinos import POT, linked
from support.node.node_process import ANA, LUIS, POZO
from support.pozo import pozo

pytestmark = pytest.mark.process

ROYAL = ("Th", "Jh", "Qh", "Kh", "Ah")


def test_r28_the_whole_pot_was_decided_and_paid_when_the_owner_came_back_from_a_backup(tmp_path):
    stick = tmp_path / "stick.db"
    with linked() as three:
        three.introduced()
        three.puerto.bet(1, 5)
        three.rest()
        assert pozo("backup", three.norte.record, stick)[0] == 0

        three.valle.bet(2, 2)
        three.valle.claims(Hand(2, cards=ROYAL))
        three.valle.until(lambda view: [award.waits for pot in view.pots for award in pot.awards] == [False])
        award = three.valle.award()
        three.valle.pays(award)
        three.rest()
        main, owed = three.norte.pot.main, three.norte.balances()
        assert award.amount > 10_000_000

        three.norte.kill()
        put_back(three.norte, stick)
        three.norte.start()
        three.rest()
        three.norte.meter(main)
        assert not any("recupera" in alarm.sentence for alarm in three.norte.node.until(bool).alarms)
        for casino in three.casinos:
            account = f"clearing:{POT}:{casino.name}"
            assert three.norte.balances()[account] == owed[account]
            assert casino.balances()[f"clearing:{POT}:norte"] == -owed[account]
        kinds = three.norte.kinds()
        assert kinds.count("decision_taken") == 1 and kinds.count("claim_registered") == 1
        assert "letter_disputed" not in [kind for node in three.nodes.values() for kind in node.kinds()]

        three.puerto.bet(1, 5)  # and it goes on
        three.rest()
        records = [node.end() for node in three.nodes.values()]
        done = subprocess.run([POZO, "verify", *records], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout
        assert done.stdout.count("BIEN") >= len(records)


def put_back(node, stick):
    """As the operators' page says: beside the stopped node, by two persons."""
    old = node.record.with_name("node.old")
    shutil.move(node.record, old)
    for rest in node.record.parent.glob("node.db-*"):
        rest.unlink()
    keys = ["--key", node.record.with_suffix(".key")]
    asked = ["restore", stick, node.record, *keys, "--by", "ana", "--second", "luis", "--reason", "se quemó el disco"]
    done = subprocess.run(
        [POZO, *map(str, asked)],
        input=f"{ANA.pin}\n{LUIS.pin}\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
