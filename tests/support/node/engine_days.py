"""Days, their seeds and a prize that is drawn, for the tests of the engine."""

from controller.core import inputs as ask
from controller.node.vocabulary.disk import keep, private_folder
from support.core.book_cases import JEFE, SEED
from support.node.node_stand import Stand

STAR = '[[complementary]]\nname = "Estrella"\namount = 5000\ndrawn = "seat"\npaid_in = "promotional_credits"\nfrom = "house"\none_in = 40\nauthorisation = "Aut. 7"\n'


def keep_seed(stand: Stand) -> None:
    """Of the day that is open from the beginning."""
    keep(private_folder(stand.folder / "seeds") / "2026-11-01.1.seed", SEED.hex().encode())


def close_day(stand: Stand) -> None:
    stand.book.take([stand.client.asked(ask.CloseDay(SEED.hex(), JEFE))])
