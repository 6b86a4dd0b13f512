"""Hands that were entered although their player lost the pot by what he did (R-8).

Theory. Such a seat is unpaid, never refused: the law wants every hand accounted for. But who enters a hand for it has
perhaps the wrong seat, or the wrong act; so he is told before anything is on record, and asked once more. Which acts
lose the pot is the game's own list, and comes with the view. Pure.
"""

from collections.abc import Iterable, Iterator

from controller.core.values import Hand
from controller.node.vocabulary.protocol import NodeView

_DID = {"folded": "se retiró", "exchanged": "cambió cartas", "bought": "compró una carta"}


def forfeited(hands: Iterable[Hand], table: str, view: NodeView) -> Iterator[str]:
    """One sentence for each hand that will be paid nothing because of an act, whatever it holds."""
    lost = next((feed.forfeits for feed in view.feeds if feed.table == table), ())
    for hand in hands:
        act = next((act for act in hand.acts if act in lost), "")
        if act and (hand.claimed or hand.cards):
            yield f"La posición {hand.seat} {_DID.get(act, act)}: no cobra del pozo, tenga lo que tenga (R-8)."
