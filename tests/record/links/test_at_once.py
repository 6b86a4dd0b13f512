"""R-28, R-34: what a neighbour wants put right is settled on all that stands before its letter, in one commit or many."""

from controller.core import inputs as ask
from controller.core.facts import ClaimCorrected
from controller.core.values import Hand, Signature
from controller.node.book.book import Asked
from controller.node.store.rows import OutcomeKey
from support.links.evening import CASINO, OWNER, POT, in_force, linked, sealed, won
from support.record.verify_history import POKER, ROYAL


def asked_at_once(nodes):
    """Everything that the casino told since the owner heard it last, in one commit."""
    mar, stream = nodes[OWNER], f"to:{OWNER}"
    letters = nodes[CASINO].told[stream][mar.heard_of(CASINO, stream) :]
    return [Asked(OutcomeKey(f"{CASINO}/{stream}", 1, letter.mark.number), mar.now, letter) for letter in letters]


def won_and_doubted():
    nodes = linked()
    in_force(nodes)
    sol = nodes[CASINO]
    sealed(sol, 1, 2)
    claim = won(sol, Hand(1, cards=ROYAL))
    sol.must(ask.RejectClaim(claim, "no se ve", Signature("carla"), Signature("ana")))
    return nodes


def test_a_whole_story_in_one_commit_is_settled_as_if_it_had_come_letter_by_letter():
    slowly, at_once = won_and_doubted(), won_and_doubted()
    slowly.settle()
    facts = [fact for answer in at_once[OWNER].book.take(asked_at_once(at_once)) for fact in answer.facts]

    (fact,) = [fact for fact in facts if isinstance(fact, ClaimCorrected)]
    assert fact.cancelled == ("DP-01@sol/1/1/1",)
    (same,) = [row for row in slowly[OWNER].kept.facts() if row.kind == "claim_corrected"]
    one, other = (nodes[OWNER].state.pots[POT] for nodes in (slowly, at_once))
    assert same and (one.main, one.reserves) == (other.main, other.reserves)


def test_what_was_read_beside_and_came_late_is_read_again():
    nodes = won_and_doubted()
    mar = nodes[OWNER]
    *before, last = asked_at_once(nodes)
    mar.book.take(before)
    read = mar.book._history(last, mar.book._pending())
    assert read is not None and not read.stale
    sealed(mar, 2)
    won(mar, Hand(2, cards=POKER))
    mar.must(ask.CorrectClaim("DP-01", 1, (Hand(2, cards=ROYAL),), "cámara", Signature("eva"), Signature("carla")))
    (answer,) = mar.book.take([last._replace(history=read)])

    assert read.stale and any(isinstance(fact, ClaimCorrected) for fact in answer.facts)
