"""A neighbour below wants a pass put right: settled by the owner of the pot, or asked on (R-28, R-34, R-35).

Theory. The owner has the whole pot in its own record, the neighbour's passes with it, so it settles them by the same
code as its own (past/correction); what only the table's node can know comes with the letter. Whoever asks is always
answered, in the log of the pot: with the pass as it stands now and every later claim with it, or with why that cannot
be, in the words of the rules. A node in the middle asks on, under the number of the node that has the table.
"""

from msgspec.structs import replace

from controller.core.facts import ClaimCorrected, CorrectionAsked, CorrectionRefused
from controller.core.links.awaited import refuse_awaited
from controller.core.links.bets import Unbelieved
from controller.core.links.disputes import is_table
from controller.core.links.leaving import refuse_pass
from controller.core.links.letters import Bound, ClaimPutRight, CorrectionWanted
from controller.core.links.names import here
from controller.core.links.restored.bound import answer_told
from controller.core.past import acts
from controller.core.past.acts import Grounds
from controller.core.past.claims import pass_of
from controller.core.past.correction import put_right, put_right_proven
from controller.core.past.inquiry import Inquiry
from controller.core.past.lines import held_for_pass
from controller.core.state import State
from controller.rules.approval import refuse_without_two
from controller.rules.refusal import Reason, Refusal, refuse

_MOST, _SEATS = 2**53, 64
_BY_ONE = ("register_claim", "void_hand", "void_pass")
_VOIDS = ("void_hand", "void_pass")
_ACTS = (*_BY_ONE, "correct_claim", "reject_claim", "grant_anew")


def hear_wanted(
    state: State, neighbour: str, letter: CorrectionWanted, history: Inquiry | None
) -> tuple[ClaimCorrected | CorrectionAsked | CorrectionRefused]:
    """R-34: settled anew, asked on, or refused."""
    _refuse_form(letter, neighbour)
    pot = state.pots[letter.pot]
    wanted = _as_here(neighbour, letter, pot.above)
    refusal = _refuse_people(wanted) or _refuse_pass(state, wanted)
    if refusal is None and pot.above:
        return (wanted,)
    told = answer_told(state, pot.name, wanted.table, wanted.wanted)
    if told is not None:
        return (_as_told(wanted, told, refusal or _decide(state, wanted, history)),)
    decided = refusal or _decide(state, wanted, history)
    if isinstance(decided, Refusal):
        assert decided.message, "R-34: whoever asked reads why"
        return (
            CorrectionRefused(
                wanted.wanted, wanted.table, wanted.number, wanted.pot, decided.reason.code, decided.message
            ),
        )
    return decided


def _as_told(
    wanted: CorrectionAsked, told: Bound, decided: tuple[ClaimCorrected] | Refusal
) -> ClaimCorrected | CorrectionRefused:
    """R-28, R-34: what was answered before a restore. A pass that would be put right otherwise now stands apart, for
    two persons: the answer is at its table already."""
    letter = told.letter
    assert isinstance(letter, ClaimPutRight), "R-34: what was answered"
    if letter.refused:
        of = (wanted.wanted, wanted.table, wanted.number, wanted.pot)
        return CorrectionRefused(*of, letter.refused_code or "refused", letter.refused, told.number)
    if isinstance(decided, Refusal) or _figures(decided[0]) != (
        letter.claim, letter.awards, letter.cancelled, letter.lost, letter.resettled, letter.house, letter.held,
    ):  # fmt: skip
        raise Unbelieved(f"la corrección {wanted.wanted} de {wanted.table} se decidió de otra forma antes de restaurar")
    return replace(decided[0], log=told.number)


def _figures(fact: ClaimCorrected) -> tuple[object, ...]:
    """What an answer says of money."""
    held = held_for_pass(fact)
    return fact.claim, fact.awards, fact.cancelled, fact.lost, fact.resettled, fact.flow.house, held


def _refuse_form(letter: CorrectionWanted, neighbour: str) -> None:
    """What an honest program never writes."""
    table, number = letter.table, letter.pass_number
    claims = [*filter(None, (letter.claim, letter.prize_in)), *letter.prizes_out]
    assert neighbour, "a neighbour has a name"
    if not is_table(table):
        raise Unbelieved("una corrección de una mesa sin nombre")
    of_pass = all(pass_of(claim) == (table, number) for claim in claims)
    seats = [*letter.seats_out, *(hand.seat for hand in letter.hands or ())]
    counted = min(letter.number, number) > 0 and all(0 <= one <= _MOST for one in (letter.at, letter.first))
    if not of_pass or not counted or letter.act not in _ACTS or not all(1 <= seat <= _SEATS for seat in seats):
        raise Unbelieved(f"la corrección {letter.number} de {here(table, neighbour)} no es de uno de sus pases")
    if not _is_shaped(letter) or not letter.by:
        raise Unbelieved(f"la corrección {letter.number} de {here(table, neighbour)} no dice qué se corrige, o quién")


def _is_shaped(letter: CorrectionWanted) -> bool:
    """Each act says what it must, and nothing else."""
    assert letter.act in _ACTS, "looked at before"
    said = (letter.hands is not None, bool(letter.seats_out), bool(letter.prizes_out), bool(letter.prize_in))
    if letter.act in _VOIDS:
        return letter.void and said[:2] == (False, True) and not letter.prize_in
    if letter.void:
        return False
    if letter.act == "grant_anew":
        return said == (False, False, False, True) and letter.claim == letter.prize_in
    if letter.act == "reject_claim" and letter.prizes_out:
        return said == (False, False, True, False) and letter.prizes_out == (letter.claim,)
    empty = letter.act == "reject_claim" and bool(letter.hands)
    return said == (True, False, False, False) and not empty


def _as_here(neighbour: str, letter: CorrectionWanted, above: str) -> CorrectionAsked:
    """The same, as things and people are called here."""
    claim, prize = (here(name, neighbour) if name else "" for name in (letter.claim, letter.prize_in))
    by, second = (f"{neighbour}/{person}" if person else "" for person in (letter.by, letter.second))
    prizes_out = tuple(here(one, neighbour) for one in letter.prizes_out)
    assert by, "R-27: somebody asks"
    return CorrectionAsked(
        letter.number, letter.act, here(letter.table, neighbour), letter.pass_number, letter.pot, letter.casino, above,
        claim, letter.hands, letter.community, letter.seats_out, prizes_out, prize,
        letter.reason, by, second, letter.recording, letter.resolution, letter.before_next_seal,
        letter.confirmed, letter.void, letter.at, letter.first,
    )  # fmt: skip


def _refuse_people(wanted: CorrectionAsked) -> Refusal | None:
    """R-34: by two, but what a croupier enters or voids alone; what else asks for two is seen when it is settled."""
    if not wanted.second and (wanted.act in _BY_ONE or wanted.act == "correct_claim"):
        return None
    assert wanted.by, "R-27: somebody asks"
    return refuse_without_two([wanted.by, wanted.second], "second")


def _refuse_pass(state: State, wanted: CorrectionAsked) -> Refusal | None:
    """R-35: of a table that was heard of, and about which nothing is being asked already."""
    known = state.away.get(wanted.table)
    last = known.number if known is not None else state.numbers.get(wanted.table, 0)
    assert wanted.number > 0, "R-5: passes are numbered from 1"
    if wanted.number > last:
        return refuse(Reason.PASS_UNKNOWN, "number", table=wanted.table, number=wanted.number)
    return refuse_awaited(state, wanted.table, wanted.number)


def _decide(state: State, wanted: CorrectionAsked, history: Inquiry | None) -> tuple[ClaimCorrected] | Refusal:
    """R-34: as if it had been asked here, but for what the table's node alone knows."""
    assert history is not None, "R-34: the record is asked first"
    if history.seal is not None and history.pot != wanted.pot:
        return refuse(Reason.PASS_UNKNOWN, "number", table=wanted.table, number=wanted.number)
    act = Grounds(
        wanted.reason, wanted.by, wanted.second, wanted.recording, wanted.resolution, wanted.void,
        wanted.before_next_seal, wanted.confirmed, wanted.at, wanted.first, wanted.wanted,
    )  # fmt: skip
    refusal = refuse_pass(state, history) or _refuse_act(history, act, wanted) or _refuse_claims(history, wanted)
    if refusal is not None:
        return refusal
    settle = put_right_proven if wanted.act == "correct_claim" else put_right
    return settle(state, history, act)


def _refuse_act(history: Inquiry, act: Grounds, wanted: CorrectionAsked) -> Refusal | None:
    """R-34: what refuses the same act at a table of one's own."""
    match wanted.act:
        case "register_claim":
            return acts.refuse_entry(history, act)
        case "correct_claim":
            return acts.refuse_correction(history, act)
        case "reject_claim":
            return acts.refuse_rejection(history, act, wanted.claim)
        case "grant_anew":
            return acts.refuse_grant(history, act, wanted.claim)
    if history.closed:
        return refuse(Reason.PASS_LONG_OVER, "number", number=wanted.number)
    return acts.refuse_void(history)


def _refuse_claims(history: Inquiry, wanted: CorrectionAsked) -> Refusal | None:
    """R-28: claims of the pass have one name at both; one that was not believed here is not put right here either."""
    prizes = {*wanted.prizes_out, *filter(None, [wanted.prize_in])}
    unknown = min(prizes - history.prizes.keys(), default="")
    if unknown:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=unknown)
    gone = min(history.no_prizes.intersection(wanted.prizes_out), default="")
    if gone:
        return refuse(Reason.CLAIM_REJECTED, "claim", claim=gone)
    if history.touches_hands and wanted.claim != history.claim:
        return refuse(Reason.CLAIM_UNKNOWN, "claim", claim=wanted.claim)
    if not history.touches_hands and not prizes:
        return refuse(Reason.NOTHING_TO_CORRECT, "hands", table=wanted.table, number=wanted.number)
    assert history.seal is not None, "R-34: a sealed pass"
    return None
