"""Another key for a casino's links, as its technician and two persons at the owner of the pot do it (R-28).

The pages say: a second key beside the first, pinned at the neighbour by two who heard its fingerprint, then in the
place of the first. Bets go on all the while, and not one of them is lost or counted twice.
"""

import os
import subprocess

import pytest
from e2e.test_links import both_sides_are_equal, grown

from support.node.linked_casinos import linked
from support.node.node_process import ANA, LUIS, POZO

pytestmark = pytest.mark.process

SIGNED = {"POZO_POR": ANA.person, "POZO_PIN": ANA.pin, "POZO_SEGUNDO": LUIS.person, "POZO_PIN2": LUIS.pin}


def pozo(*words, **environment):
    done = subprocess.run(
        [POZO, *map(str, words)], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_casino_takes_another_key_while_its_tables_play_and_nothing_is_lost():
    with linked() as three:
        three.introduced()
        three.puerto.bet(1, 5)
        three.rest()
        mine, owners = three.puerto.place / "node.toml", three.norte.place / "node.toml"

        old = pozo("key", "show", mine).split()[-1]
        said = pozo("key", "new", mine).split()
        key, fingerprint = said[1], said[3]
        owners.write_text(owners.read_text().replace(old, fingerprint))
        told = pozo("peer", "add", owners, "puerto", key, "--heard", fingerprint, "--heard", fingerprint, **SIGNED)
        assert "puerto" in told
        assert fingerprint in pozo("peer", "list", owners)

        three.is_cut(three.puerto)
        three.puerto.bet(2, 2)
        three.valle.bet(3, 1)
        three.norte.meter(grown(5_000, 1_000))

        assert pozo("key", "rotate", mine).split()[1] == key
        three.puerto.kill()
        three.puerto.start()
        three.rest()
        for node in three.nodes.values():
            node.meter(grown(5_000, 1_000, 2_000))
        both_sides_are_equal(three)
