"""Everything that can be asked of a node: one frozen type for each, nothing else reaches `decide`.

Theory. An input is what happened outside (a device reports, a croupier presses, two persons approve), never
what should follow from it. It carries no time: `now` is an argument of `decide`. Acts of people carry their
signatures; a physical button carries none, because nobody knows whose finger it was.
"""

from msgspec import Struct

from controller.core.links.letters import Letter
from controller.core.values import (
    Bounds,
    Box,
    Broken,
    Device,
    Hand,
    HeadLeft,
    Lamp,
    Mark,
    Role,
    Side,
    Signature,
    TerminalUse,
    Unproven,
)
from controller.rules.belief import Disbelief


class _Input(Struct, frozen=True, tag_field="ask", omit_defaults=True):
    """The root: so that every input is written with its name."""


# The node and its people


class FoundNode(_Input, frozen=True, tag="found_node"):
    """The first input of a record: the node, its public key, and the two administrators who set it up."""

    node: str
    key: str
    administrators: tuple[str, str]


class AdoptReading(_Input, frozen=True, tag="adopt_reading"):
    """The program opens a record that was made under an earlier reading of the rules."""

    reading: int


class StartNode(_Input, frozen=True, tag="start_node"):
    """A program begins to run this node: the hash of its files, and the id of the machine's start."""

    program: str
    boot: str


class StopNode(_Input, frozen=True, tag="stop_node"):
    """It was asked to end, and its tables are locked."""


class RestoreNode(_Input, frozen=True, tag="restore_node"):
    """After a restore from a backup: a new epoch, so that promises made since cannot be denied under the old one."""

    epoch: int
    reason: str
    by: Signature
    second: Signature
    left: HeadLeft | None = None


class EnrolPerson(_Input, frozen=True, tag="enrol_person"):
    """A person with roles; the same person again changes the roles; no roles retires the person. `known`: both who
    sign state that they know the person, and that he has no other name here (R-36)."""

    person: str
    name: str
    roles: tuple[Role, ...]
    secret: str
    by: Signature
    second: Signature
    known: bool = False


class UnlockPerson(_Input, frozen=True, tag="unlock_person"):
    """Somebody else looked at the wrong PINs of a person: he waits no longer, and the alarm ends."""

    person: str
    by: Signature


class SignIn(_Input, frozen=True, tag="sign_in"):
    """A person proves his PIN once for what is done at a table in every pass; nothing is done by it."""

    table: str
    by: Signature


class EnrolTerminal(_Input, frozen=True, tag="enrol_terminal"):
    """R-36: two persons let a browser in, under a name, for one use; or the web process of another box. `place`: the
    table, or the layout of the sign, and nothing for a chief's or a web; `key`: the public half of its key. A name that
    is known has another key, use or place."""

    terminal: str
    use: TerminalUse
    place: str
    key: str
    by: Signature
    second: Signature


class WithdrawTerminal(_Input, frozen=True, tag="withdraw_terminal"):
    """R-36: nothing of a terminal is taken any more; one person suffices, because it has to be fast."""

    terminal: str
    reason: str
    by: Signature


class SealVerifiers(_Input, frozen=True, tag="seal_verifiers"):
    """The program finds verifiers of an earlier one, and puts them under the node's secret."""

    secrets: dict[str, str]


class ReplacePins(_Input, frozen=True, tag="replace_pins"):
    """Two persons with the key's file, while the node stands still: their PINs, or the secret of all PINs, are lost."""

    secrets: dict[str, str]
    reason: str
    proof: str


# Plans and the gaming day


class StagePlan(_Input, frozen=True, tag="stage_plan"):
    """R-26: an approved plan with its ruleset, as their documents."""

    plan: str
    ruleset: str
    by: Signature
    second: Signature


class WithdrawPlan(_Input, frozen=True, tag="withdraw_plan"):
    """R-26: the plan that waits for a pot is taken back."""

    pot: str
    by: Signature


class OpenDay(_Input, frozen=True, tag="open_day"):
    """R-30: the day's name, the hash of its secret seed, the number by chance of who opens it; and where a seed of this
    day lay already that the node had not made, if one did."""

    day: str
    commitment: str
    by: Signature
    nonce: str = ""
    found: str = ""


class CloseDay(_Input, frozen=True, tag="close_day"):
    """R-30: the seed is revealed."""

    seed: str
    by: Signature


class RenameDay(_Input, frozen=True, tag="rename_day"):
    """R-27: the open day, or the one closed last, has a wrong name: its right date, by two persons."""

    day: str
    reason: str
    by: Signature
    second: Signature


class LoseSeed(_Input, frozen=True, tag="lose_seed"):
    """R-30: the seed of the open day is nowhere: two persons say so, and its draws are void. `seed`: what the node
    has of it after all."""

    seed: str
    reason: str
    by: Signature
    second: Signature


# A table and its pass


class OpenPass(_Input, frozen=True, tag="open_pass"):
    """R-5: betting is open: a new pass at a table."""

    table: str
    by: Signature | None = None


class UnlockTable(_Input, frozen=True, tag="unlock_table"):
    """A person lets play go on: opens the pass; while one is open, the seats that came back (R-5, R-27)."""

    table: str
    by: Signature


class Lock(_Input, frozen=True, tag="lock"):
    """R-5: "no más apuestas"."""

    table: str
    by: Signature | None = None


class ClosePass(_Input, frozen=True, tag="close_pass"):
    """The hands of a sealed pass are done: the pass ends, its held awards stay (R-21)."""

    table: str
    by: Signature | None = None


class VoidHand(_Input, frozen=True, tag="void_hand"):
    """R-25: one seat's bet of this pass goes back to its player."""

    table: str
    seat: int
    reason: str
    by: Signature


class VoidPass(_Input, frozen=True, tag="void_pass"):
    """R-25: every bet of this pass goes back, and the pass is over."""

    table: str
    reason: str
    by: Signature


# A seat


class SeatReport(_Input, frozen=True, tag="seat_report"):
    """What a seat unit says: its totals, and whether it reads back locked, with the event number of the lock; and what
    the settings say of it: the most that a press and a chip of it can be worth (R-37). `holds`: with totals that
    are booked, the credits of a bet that the books gave back and that it still shows. `knows_more`: what it counted was
    acknowledged once, so that only a record that lost facts does not have it. `forgot`: with what is on record of it,
    that its memory has gone back since, as its driver saw. `impossible`: why it is not believed, where only two images
    that the node saw contradict each other."""

    table: str
    seat: int
    device: Device
    locked: bool = False
    cut: int = 0
    bet_seq: int = 0
    bounds: Bounds | None = None
    holds: int | None = None
    knows_more: bool = False
    forgot: bool = False
    impossible: Disbelief | None = None


class SeeFirmware(_Input, frozen=True, tag="see_firmware"):
    """What a device that came up says that it is; `unit`: where it stands, as `LINE/NUMBER`."""

    table: str
    unit: str
    box: Box


class LampSeen(_Input, frozen=True, tag="lamp_seen"):
    """R-6: what feedback or light says of a lamp; FAULT is what the driver says when it has waited long enough. One
    that went dark before the lock and stayed so failed while betting was open, also when that is known later."""

    table: str
    seat: int
    lamp: Lamp
    before_lock: bool = False
    seen_by: str = ""


class LampDark(_Input, frozen=True, tag="lamp_dark"):
    """R-6: until he locks, a croupier says that the lamp of a bet is dark: the bet goes back, the seat closes."""

    table: str
    seat: int
    by: Signature


class TellLamps(_Input, frozen=True, tag="tell_lamps"):
    """R-6: what came of a lamp test: the seats whose lamp stayed dark, which close. None: all were seen lit."""

    table: str
    dark: tuple[int, ...]
    by: Signature


class CloseSeat(_Input, frozen=True, tag="close_seat"):
    """By hand, or by the node itself when a unit is silent or broken."""

    table: str
    seat: int
    reason: str
    by: Signature | None = None


class OpenSeat(_Input, frozen=True, tag="open_seat"):
    """R-6: a closed seat takes part again."""

    table: str
    seat: int
    by: Signature


class ClearFaults(_Input, frozen=True, tag="clear_faults"):
    """After somebody looked: the device of a seat is told to forget its faults; seat 0: the devices themselves."""

    table: str
    seat: int
    by: Signature


class TryLamps(_Input, frozen=True, tag="try_lamps"):
    """Between passes: every lamp of a table is lit for a moment."""

    table: str
    by: Signature


class TrySign(_Input, frozen=True, tag="try_sign"):
    """A sign shows its pattern for a moment. `unseen`: this sign answers nothing, so only who looks can know."""

    sign: str
    by: Signature
    unseen: bool = False


class BuyCredits(_Input, frozen=True, tag="buy_credits"):
    """R-2: the player pays the croupier, who activates so many credits on the seat."""

    table: str
    seat: int
    credits: int
    by: Signature


class CashOut(_Input, frozen=True, tag="cash_out"):
    """All credits of a seat back into money."""

    table: str
    seat: int
    by: Signature


class LeaveCredits(_Input, frozen=True, tag="leave_credits"):
    """R-36: credits whose player is gone are set aside, by two; promotional ones lapse."""

    table: str
    seat: int
    by: Signature
    second: Signature


class PayLeft(_Input, frozen=True, tag="pay_left"):
    """R-36: a player comes back for what he left, and two hand it out."""

    table: str
    amount: int
    by: Signature
    second: Signature


class PayOwed(_Input, frozen=True, tag="pay_owed"):
    """R-4: what a slot took beyond the bet is handed back, after a chief was told: `told` is who. Above ten of the
    largest bets a seat and gaming day two persons hand it back (R-37)."""

    table: str
    seat: int
    by: Signature
    told: str = ""
    second: Signature | None = None


class CountSeat(_Input, frozen=True, tag="count_seat"):
    """A seat unit was replaced or lost its memory: its credits, counted by hand."""

    table: str
    seat: int
    found: int
    by: Signature
    second: Signature


class SignVoid(_Input, frozen=True, tag="sign_void"):
    """R-36: a chief who entered none of them signs the voids after the lock at a seat; their money can be cashed."""

    table: str
    seat: int
    by: Signature


# Claims and awards


class RegisterClaim(_Input, frozen=True, tag="register_claim"):
    """R-34: what was dealt at a table, all winners of the pass at once. With the number of the pass that ended last,
    until the table's next seal: winners that nobody had entered (R-35)."""

    table: str
    hands: tuple[Hand, ...]
    by: Signature
    community: tuple[str, ...] = ()
    number: int = 0


class CorrectClaim(_Input, frozen=True, tag="correct_claim"):
    """R-34, R-35: a sealed pass as it truly was: all its winners, whatever was entered before. Alone until the table's
    next seal, where it takes nothing away; later by two, with the cards of those who gain, and the number of the
    recording or of the authority's resolution."""

    table: str
    number: int
    hands: tuple[Hand, ...]
    reason: str
    by: Signature
    second: Signature | None = None
    community: tuple[str, ...] = ()
    recording: str = ""
    resolution: str = ""


class GrantAnew(_Input, frozen=True, tag="grant_anew"):
    """R-29: a complementary prize that was rejected, to the seat that was drawn."""

    claim: str
    reason: str
    by: Signature
    second: Signature


class SetAside(_Input, frozen=True, tag="set_award_aside"):
    """R-35: a winner who cannot be found: a debt without term, no longer pending."""

    award: str
    reason: str
    by: Signature
    second: Signature


class RejectClaim(_Input, frozen=True, tag="reject_claim"):
    """R-34: nothing of it was true: its pass put right without winners; or a complementary prize that was not won."""

    claim: str
    reason: str
    by: Signature
    second: Signature


class ConfirmAward(_Input, frozen=True, tag="confirm_award"):
    """R-21: verified. Above the plan's threshold by two persons."""

    award: str
    by: Signature
    second: Signature | None = None


class PayAward(_Input, frozen=True, tag="pay_award"):
    """R-21: a confirmed award was handed to its player."""

    award: str
    by: Signature


class AdvanceAward(_Input, frozen=True, tag="advance_award"):
    """R-18, R-20: part of a percentage that waits for the owner of its pot was handed to its player, by two."""

    award: str
    amount: int
    reason: str
    by: Signature
    second: Signature


class StepClock(_Input, frozen=True, tag="step_clock"):
    """The wall clock moved by so many milliseconds while time went on otherwise, or over a stop of the node: then it is
    all that it moved by, for nobody knows how long the stop was."""

    ms: int
    stop: bool = False


class NoteClock(_Input, frozen=True, tag="note_clock"):
    """R-27: a person has looked at the clock: the alarm about it ends."""

    by: Signature


class LookAtClock(_Input, frozen=True, tag="look_at_clock"):
    """R-21: asked now and then, so that what is overdue is said."""


# Complementary prizes


class Draw(_Input, frozen=True, tag="draw"):
    """R-30: what the seed says for one prize of one sealed pass. Made by whoever holds the seed, never by a person."""

    table: str
    prize: str
    hit: bool
    seat: int = 0
    card: str = ""


class ShowCard(_Input, frozen=True, tag="show_card"):
    """R-29, Carta Mágica: a seat shows the card that was drawn."""

    table: str
    prize: str
    seat: int
    by: Signature


# Money by two persons, and training


class MoveMoney(_Input, frozen=True, tag="move_money"):
    """Between the parts of one pot, or from the house into one ("house"); to a casino that left the pot, as
    its share ("share:NEIGHBOUR"); or from what this node was given of a pot that it left ("share:POT"). `booked`: what
    stands with that casino by this node's own books; the book says it, whoever asks."""

    pot: str
    source: str
    target: str
    amount: int
    resolution: str
    by: Signature
    second: Signature
    booked: int = 0


class ClearSuspense(_Input, frozen=True, tag="clear_suspense"):
    """What nobody could explain, taken over by the house."""

    table: str
    reason: str
    by: Signature
    second: Signature


class StartTraining(_Input, frozen=True, tag="start_training"):
    """R-36: two let a table play for a copy of its pot, and none of it is money."""

    table: str
    by: Signature
    second: Signature


class EndTraining(_Input, frozen=True, tag="end_training"):
    """The table plays for money again."""

    table: str
    by: Signature


class CountUnproven(_Input, frozen=True, tag="count_unproven"):
    """What a user of the machine tried at the door since this instant, beyond what stands on record one by one."""

    what: Unproven
    user: int
    count: int
    since: int


# Links: neighbours, and what they tell


class PinNeighbour(_Input, frozen=True, tag="pin_neighbour"):
    """R-28: this is the neighbour's key; two persons read its fingerprint aloud."""

    neighbour: str
    side: Side
    key: str
    by: Signature
    second: Signature
    inside: bool = False


class RevokeNeighbour(_Input, frozen=True, tag="revoke_neighbour"):
    """R-28: nothing more is heard from it."""

    neighbour: str
    reason: str
    by: Signature
    second: Signature


class SeeLink(_Input, frozen=True, tag="see_link"):
    """The link to a neighbour came to stand, or broke."""

    neighbour: str
    up: bool


class SeeOwner(_Input, frozen=True, tag="see_owner"):
    """The owner of a pot, behind the neighbour above, is heard of again, or no more."""

    pot: str
    up: bool


class HearLetter(_Input, frozen=True, tag="hear_letter"):
    """What a neighbour told: its place in the stream, the hash of the letter before, and the letter."""

    neighbour: str
    stream: str
    mark: Mark
    previous: str
    version: int
    letter: Letter


class HearAcknowledged(_Input, frozen=True, tag="hear_acknowledged"):
    """A neighbour has a stream of ours up to here in its record."""

    neighbour: str
    stream: str
    mark: Mark


class StopNeighbour(_Input, frozen=True, tag="stop_neighbour"):
    """The marks that both sides have of a stream cannot both be: nothing more is heard from it."""

    neighbour: str
    stream: str
    why: Broken
    said: Mark


class AcceptNeighbour(_Input, frozen=True, tag="accept_neighbour"):
    """Two persons have looked at what a stopped neighbour says, and its stream goes on from there."""

    neighbour: str
    stream: str
    mark: Mark
    reason: str
    by: Signature
    second: Signature


class LeavePot(_Input, frozen=True, tag="leave_pot"):
    """R-28: the owner of this pot never comes back: what waits for him is decided here, and what this node still owes
    him of it is a pot of its own. `booked`: that, by the node's own books, which say it whoever asks."""

    pot: str
    resolution: str
    by: Signature
    second: Signature
    booked: int = 0


class EndDispute(_Input, frozen=True, tag="end_dispute"):
    """R-28: what was not believed of a neighbour is taken after all, or left with its casino. `pot`: of the owner of
    several, whose logs have numbers each."""

    neighbour: str
    number: int
    accepted: bool
    reason: str
    by: Signature
    second: Signature
    pot: str = ""


class TakeBack(_Input, frozen=True, tag="take_back"):
    """R-28: a letter of a log of ours that this record lost with a restore, as a neighbour has it."""

    neighbour: str
    stream: str
    mark: Mark
    previous: str
    version: int
    letter: Letter


class GoOnWithout(_Input, frozen=True, tag="go_on_without"):
    """R-28: after a restore, two persons name the neighbours whose word is missing, and the pot decides without it."""

    pot: str
    neighbours: tuple[str, ...]
    reason: str
    by: Signature
    second: Signature


class HearWentBack(_Input, frozen=True, tag="hear_went_back"):
    """R-28: a neighbour that lives in a new epoch has less of our stream than it had, and what it has is ours."""

    neighbour: str
    stream: str
    epoch: int
    mark: Mark


Input = (
    FoundNode
    | AdoptReading
    | RestoreNode
    | EnrolPerson
    | UnlockPerson
    | SignIn
    | EnrolTerminal
    | WithdrawTerminal
    | SealVerifiers
    | ReplacePins
    | StagePlan
    | WithdrawPlan
    | OpenDay
    | CloseDay
    | RenameDay
    | LoseSeed
    | OpenPass
    | UnlockTable
    | Lock
    | ClosePass
    | VoidHand
    | VoidPass
    | SeatReport
    | SeeFirmware
    | LampSeen
    | LampDark
    | TellLamps
    | CloseSeat
    | OpenSeat
    | ClearFaults
    | TryLamps
    | TrySign
    | BuyCredits
    | CashOut
    | LeaveCredits
    | PayLeft
    | PayOwed
    | CountSeat
    | SignVoid
    | RegisterClaim
    | CorrectClaim
    | RejectClaim
    | GrantAnew
    | SetAside
    | ConfirmAward
    | PayAward
    | LookAtClock
    | Draw
    | ShowCard
    | MoveMoney
    | ClearSuspense
    | StartTraining
    | EndTraining
    | CountUnproven
    | StartNode
    | StopNode
    | StepClock
    | NoteClock
    | PinNeighbour
    | RevokeNeighbour
    | SeeLink
    | SeeOwner
    | HearLetter
    | HearAcknowledged
    | StopNeighbour
    | AcceptNeighbour
    | EndDispute
    | AdvanceAward
    | LeavePot
    | TakeBack
    | GoOnWithout
    | HearWentBack
)
