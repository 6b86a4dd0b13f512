"""Everything that can stand on record: one frozen type for each kind of fact, complete in itself (R-27).

Theory. A fact says what happened with every figure that an auditor needs to compute it again, and its postings
follow from the fact alone. Facts are never rewritten; a correction is a new fact that names the old one. The
names and fields here are the record's format: a kind may gain a field with a default, it may never change one.
"""

from msgspec import Struct

from controller.core.links.letters import Letter
from controller.core.values import (
    Bounds,
    Box,
    Broken,
    Change,
    Device,
    FactRoot,
    Flow,
    Hand,
    HeadLeft,
    Lamp,
    Levels,
    Loss,
    Mark,
    Meters,
    Refund,
    RegisteredAward,
    Resettled,
    Role,
    SealedBet,
    Side,
    Tending,
    TerminalUse,
    Unpaid,
    Unproven,
)
from controller.rules.belief import Disbelief

# The node itself: its people, its plans, its day, money moved by two persons, training, refusals


class NodeFounded(FactRoot, frozen=True, tag="node_founded"):
    """The first fact of a record: the node, its public key, its two administrators; `reading`: which reading of the
    rules it begins under (rules.md, its head)."""

    node: str
    key: str
    administrators: tuple[str, str]
    reading: int = 1


class ReadingAdopted(FactRoot, frozen=True, tag="reading_adopted"):
    """An older record goes on under a later reading of the rules: what stands before this fact was right by its own."""

    reading: int


class NodeStarted(FactRoot, frozen=True, tag="node_started"):
    """A program begins to run this node: `program`, the SHA-256 of its files; `boot`, which start of the machine;
    `signing`, by which list it signs facts at once: 2 has a step of the clock too (R-27); `tells`, by which it tells
    neighbours (R-28)."""

    program: str
    boot: str
    signing: int = 1
    tells: int = 1


class NodeStopped(FactRoot, frozen=True, tag="node_stopped"):
    """It was asked to end, and did: a start without this before it follows a crash or a power cut."""


class NodeRestored(FactRoot, frozen=True, tag="node_restored"):
    """The record goes on from a backup, under a new epoch. `left`: how far it is known to have gone before. `asks`: the
    neighbours that may have heard more of our logs than it holds; nothing is decided before they said so (R-28).
    `asks_above`: who may have heard more of what we tell upwards; nothing is told there before it said so."""

    epoch: int
    reason: str
    by: str
    second: str
    left: HeadLeft | None = None
    asks: tuple[str, ...] = ()
    asks_above: tuple[str, ...] = ()


class PersonEnrolled(FactRoot, frozen=True, tag="person_enrolled"):
    """`secret` is the SHA-256 of the PIN's verifier, so that a swapped verifier shows. `known`: both who signed state
    that they know the person, and that he has no other name here (R-36)."""

    person: str
    name: str
    roles: tuple[Role, ...]
    secret: str
    by: str
    second: str
    known: bool = False


class PersonUnlocked(FactRoot, frozen=True, tag="person_unlocked"):
    """Somebody else looked at the wrong PINs of a person; in the first two readings he had been locked by them."""

    person: str
    by: str


class VerifiersSealed(FactRoot, frozen=True, tag="verifiers_sealed"):
    """What an earlier program kept of PINs lies under a secret from here on; the PINs are the same. `secrets`: of each
    person, as in `person_enrolled`."""

    secrets: dict[str, str]


class PinsReplaced(FactRoot, frozen=True, tag="pins_replaced"):
    """Two persons whose PINs could not be proven made new ones, beside the node that stood still. `proof`: made with
    the node's key over all of it, because nothing else proved who they were (docs/record.md)."""

    secrets: dict[str, str]
    reason: str
    proof: str


class TerminalEnrolled(FactRoot, frozen=True, tag="terminal_enrolled"):
    """R-36: two persons let a browser in, or another box's web. `key`, in hexadecimal: checks what a browser signs, an
    uncompressed point of P-256, or lets the web in, of CURVE; `replaces`: the key that it had, where it was enrolled
    already."""

    terminal: str
    use: TerminalUse
    place: str
    key: str
    by: str
    second: str
    replaces: str = ""


class TerminalWithdrawn(FactRoot, frozen=True, tag="terminal_withdrawn"):
    """R-36: nothing of this terminal is taken any more."""

    terminal: str
    reason: str
    by: str


class PlanStaged(FactRoot, frozen=True, tag="plan_staged"):
    """R-26: an approved plan waits until no pass is open and no award pending."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str


class PlanWithdrawn(FactRoot, frozen=True, tag="plan_withdrawn"):
    """R-26: the plan that waited for a pot was taken back. `plan`: its hash, where neighbours had been offered it."""

    pot: str
    by: str
    plan: str = ""


class PlanTookEffect(FactRoot, frozen=True, tag="plan_took_effect"):
    """R-26: with its documents, and every value that changed: limits (R-3), games (R-7), tables (R-9), casinos (R-28),
    paytable (R-11), readings (R-33). A new pot starts from its base, put in by the house (R-24). `above`: the neighbour
    whose pot it is, with `after`, its levels there; `base_table`: the neighbour's table whose house put the base in."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    by: str
    second: str
    casino: str
    changes: tuple[Change, ...] = ()
    base_put_in: int = 0
    above: str = ""
    base_table: str = ""
    after: Levels | None = None


class DayOpened(FactRoot, frozen=True, tag="day_opened"):
    """R-30: a gaming day, the hash of its secret seed, and the number by chance of who opened it, which is part of the
    secret of all draws; none before the third reading."""

    day: str
    commitment: str
    by: str
    nonce: str = ""


class DayClosed(FactRoot, frozen=True, tag="day_closed"):
    """R-30: the seed, or why there is none (`SeedLost`); and the meters of every live pot, as they stood."""

    day: str
    seed: str
    by: str
    meters: dict[str, Meters] = {}
    lost: str = ""


class DayRenamed(FactRoot, frozen=True, tag="day_renamed"):
    """R-27: a day under its right date: the open one, or the one closed last. Its draws keep the name under which its
    seed was committed (R-30)."""

    was: str
    day: str
    reason: str
    by: str
    second: str


class SeedLost(FactRoot, frozen=True, tag="seed_lost"):
    """R-30: nobody has the seed of this day any more. Its draws are void as a proof: nobody can compute them again.
    Nothing more is drawn on this day; what was granted stands."""

    day: str
    reason: str
    by: str
    second: str


class SuspenseCleared(FactRoot, frozen=True, tag="suspense_cleared"):
    """The house took over a difference that nobody could explain."""

    table: str
    amount: int
    pot: str
    casino: str
    reason: str
    by: str
    second: str


class MoneyMoved(FactRoot, frozen=True, tag="money_moved"):
    """Two persons moved money between the parts of a pot, or from the house into one. R-28: to `share:NEIGHBOUR`, a
    casino that left the pot, with whom so much `stood` before; or from `share:POT:OWNER`, what that one had given us of
    a pot that our tables left."""

    pot: str
    casino: str
    source: str
    target: str
    amount: int
    resolution: str
    by: str
    second: str
    stood: int = 0


class TrainingStarted(FactRoot, frozen=True, tag="training_started"):
    """A copy of the pot for one table, in training money; begun by two (R-36)."""

    table: str
    pot: str
    casino: str
    by: str
    levels: Levels
    second: str = ""


class TrainingEnded(FactRoot, frozen=True, tag="training_ended"):
    """Every training account of the table and its pot goes back to nothing: `closing` are their last balances."""

    table: str
    by: str
    closing: dict[str, int] = {}


class ClockWentBack(FactRoot, frozen=True, tag="clock_went_back"):
    """Order comes from the sequence; the jump is on record."""

    was: int
    now: int


class ClockStepped(FactRoot, frozen=True, tag="clock_stepped"):
    """The wall clock moved by so many milliseconds while time went on otherwise: somebody set it, or a server did. At a
    start (`stop`): by how much it had moved since the last fact; how long the stop was, nobody knows. The moment of a
    prize counts none of it (R-29)."""

    ms: int
    stop: bool = False


class ClockNoted(FactRoot, frozen=True, tag="clock_noted"):
    """Somebody has looked at the clock, and what it shows is taken for right."""

    by: str


class NothingNew(FactRoot, frozen=True, tag="nothing_new"):
    """An input that changed nothing: a stale report, a lamp seen as it was."""

    what: str


class Refused(FactRoot, frozen=True, tag="refused"):
    """A refusal, remembered with its id for ever."""

    ask: str
    reason: str
    rule: str
    where: str
    message: str
    by: str = ""


class IdReused(FactRoot, frozen=True, tag="id_reused"):
    """The same id came with other content: refused, and an alarm."""

    source: str
    epoch: int
    number: int


# A table: its passes, its seats, the credits on them, the bets


class PassOpened(FactRoot, frozen=True, tag="pass_opened"):
    """R-5: betting is open in this pass."""

    table: str
    number: int
    by: str = ""


class DeviceTended(FactRoot, frozen=True, tag="device_tended"):
    """R-27: a person told devices something that moves no money: `what`, at which table and seat, or on which sign.
    `unseen`: a sign that answers nothing was tested, and no device saw what it showed."""

    what: Tending
    by: str
    table: str = ""
    seat: int = 0
    sign: str = ""
    unseen: bool = False


class CreditsBought(FactRoot, frozen=True, tag="credits_bought"):
    """R-2: the player paid for credits, which are on the seat; `practice`: nobody paid, the table trains (R-36).
    `paid_in`: with what, where the law says it (R-29)."""

    table: str
    seat: int
    amount: int
    by: str
    practice: bool = False
    paid_in: str = ""


class CreditsCashed(FactRoot, frozen=True, tag="credits_cashed"):
    """R-2: all credits of a seat were paid out; `practice`: nothing was, the table trains (R-36)."""

    table: str
    seat: int
    amount: int
    by: str
    practice: bool = False


class CreditsLeft(FactRoot, frozen=True, tag="credits_left"):
    """Credits whose player is gone were set aside, by two (R-36); promotional ones lapsed."""

    table: str
    seat: int
    amount: int
    by: str
    lapsed: int = 0
    pot: str = ""
    casino: str = ""
    second: str = ""


class LeftPaid(FactRoot, frozen=True, tag="left_paid"):
    """A player came back for what he had left, and two handed it out (R-36); nothing where the table trains."""

    table: str
    amount: int
    by: str
    second: str = ""
    practice: bool = False


class OwedPaid(FactRoot, frozen=True, tag="owed_paid"):
    """R-4: what a slot took beyond the bet, or a void gave back as chips, was handed to the player; `told`: the chief
    who knew of what was beyond the bet."""

    table: str
    seat: int
    amount: int
    by: str
    told: str = ""
    second: str = ""


class DeviceAdopted(FactRoot, frozen=True, tag="device_adopted"):
    """A seat unit seen for the first time, or another one than before: its totals are where counting starts.
    `bounds`: what it can have counted from then on; without them nobody said (R-37)."""

    table: str
    seat: int
    device: Device
    bounds: Bounds | None = None


class BetMade(FactRoot, frozen=True, tag="bet_made"):
    """R-1, R-4: a device made a bet; `promo` of it from promotional credits."""

    table: str
    number: int
    seat: int
    amount: int
    device: Device
    promo: int = 0


class BetRefused(FactRoot, frozen=True, tag="bet_refused"):
    """R-5: what a device took and the rules refuse; the device is told to give it back."""

    table: str
    number: int
    seat: int
    credits: int
    reason: str
    device: Device


class ChipsFell(FactRoot, frozen=True, tag="chips_fell"):
    """R-4: chips of a slot: how much the bet grew, and what is now owed back, signed; `counted` of them fell in time,
    and count towards the bet when more follow."""

    table: str
    number: int
    seat: int
    amount: int
    bet: int
    owed: int
    device: Device
    counted: int = 0


class DeviceVoided(FactRoot, frozen=True, tag="device_voided"):
    """A device gave credits back, as it was told, or because nobody confirmed the bet in time."""

    table: str
    number: int
    seat: int
    credits: int
    device: Device
    refund: Refund | None = None


class DeviceSeen(FactRoot, frozen=True, tag="device_seen"):
    """Totals moved on in a way that moves no money. Or, with the totals as they were: `bounds`, what this unit can have
    counted from now on (R-37); `holds`, how many credits it still has to give back, where the books knew of more."""

    table: str
    seat: int
    device: Device
    bounds: Bounds | None = None
    holds: int | None = None


class DeviceDisbelieved(FactRoot, frozen=True, tag="device_disbelieved"):
    """R-37: what this unit cannot have counted since its last image on record. It is booked nowhere; the seat is closed
    until two persons have counted it."""

    table: str
    seat: int
    device: Device
    why: Disbelief


class FirmwareSeen(FactRoot, frozen=True, tag="firmware_seen"):
    """R-27: at a place of the settings, `LINE/NUMBER`, answers another box, or another program in it, than `was`."""

    table: str
    unit: str
    box: Box
    was: Box | None = None


class LampChanged(FactRoot, frozen=True, tag="lamp_changed"):
    """R-6: lit, or failed; a failure while betting is open returns the bet, with the seal where the table is locked.
    `seen_by`: a sensor, or a croupier where the device has none; `by`: the croupier who said that it is dark."""

    table: str
    number: int
    seat: int
    lamp: Lamp
    locked: bool = False
    refund: Refund | None = None
    before_lock: bool = False
    seen_by: str = ""
    by: str = ""


class UnprovenRefused(FactRoot, frozen=True, tag="unproven_refused"):
    """What a user of the machine tried at the door since this instant and did not prove, summed up (R-27). `user`: his
    number, as the kernel says it."""

    what: Unproven
    user: int
    count: int
    since: int


class LampsTested(FactRoot, frozen=True, tag="lamps_tested"):
    """R-6: a person looked while all lamps of a table were lit: those of these seats stayed dark."""

    table: str
    dark: tuple[int, ...]
    by: str


class SeatClosed(FactRoot, frozen=True, tag="seat_closed"):
    """At once, or after the pass where a valid bet still stands (R-6)."""

    table: str
    seat: int
    reason: str
    after_pass: bool = False
    refund: Refund | None = None
    by: str = ""


class SeatOpened(FactRoot, frozen=True, tag="seat_opened"):
    """R-6: a closed seat takes part again."""

    table: str
    seat: int
    by: str


class SeatCounted(FactRoot, frozen=True, tag="seat_counted"):
    """What was found on a seat, and what the book says: the difference stands in suspense until two persons clear it. A
    seat whose unit was not believed is counted also where both are equal, and its unit is looked at anew (R-37)."""

    table: str
    seat: int
    found: int
    booked: int
    by: str
    second: str


class VoidSigned(FactRoot, frozen=True, tag="void_signed"):
    """R-36: what voids after the lock gave back to a seat, signed by a chief who entered none of them."""

    table: str
    seat: int
    amount: int
    by: str


class Locked(FactRoot, frozen=True, tag="locked"):
    """R-5: no bet is made any more; seats are still to be proven locked. R-6: it attests the lamps of the seats
    `attested`, which a croupier saw lit and no sensor."""

    table: str
    number: int
    by: str = ""
    attested: tuple[int, ...] = ()


class SeatProven(FactRoot, frozen=True, tag="seat_proven"):
    """A seat read back locked, and at which of its events."""

    table: str
    number: int
    seat: int
    cut: int


class PassSealed(FactRoot, frozen=True, tag="pass_sealed"):
    """Every seat proven: the valid bets and what each gave (R-22, R-23), the bets whose lamp was never lit (R-6),
    the carries afterwards, and the hash of all of it that draws depend on (R-30). `dark`: seats whose bet had gone back
    before, because its lamp failed while betting was open."""

    table: str
    number: int
    pot: str
    casino: str
    bets: tuple[SealedBet, ...]
    flow: Flow
    commission_carry: int
    reserve_carries: tuple[int, ...]
    closed: str
    draws: tuple[str, ...] = ()
    returned: tuple[Refund, ...] = ()
    dark: tuple[int, ...] = ()
    above: str = ""
    plan: str = ""


class HandsVoided(FactRoot, frozen=True, tag="hands_voided"):
    """R-25: a void hand or a void pass: what goes back to the seats, and what that takes from whom. `undone`: what each
    sealed bet had given, taken back, with the part that had passed the ceiling (R-24)."""

    table: str
    number: int
    pot: str
    casino: str
    whole_pass: bool
    refunds: tuple[Refund, ...]
    reason: str
    by: str
    sealed: bool = False
    flow: Flow = Flow()
    commission_carry: int = 0
    reserve_carries: tuple[int, ...] = ()
    undone: tuple[SealedBet, ...] = ()
    above: str = ""
    log: int = 0


class PassClosed(FactRoot, frozen=True, tag="pass_closed"):
    """R-35: with the pot's levels, which a winner found later is settled on; `reviewed`: every hand that was not
    forfeited was looked at, which the law asks for but under AJ."""

    table: str
    number: int
    by: str = ""
    pot: str = ""
    levels: Levels | None = None
    reviewed: bool = False
    above: str = ""


# What is won: claims, awards, complementary draws


class ClaimRegistered(FactRoot, frozen=True, tag="claim_registered"):
    """R-8 to R-20, R-34: the hands, the pot as it was, every award with its sources, which signs show from now on
    (R-31), who is paid nothing and why (R-32), and the pot afterwards. `log`: decided before a restore, and told under
    this number; then its amounts are those (R-28). `taken`: two took what was not believed."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    before: Levels
    awards: tuple[RegisteredAward, ...]
    unpaid: tuple[Unpaid, ...]
    after: Levels
    by: str
    base_back: Flow | None = None
    log: int = 0
    taken: bool = False


class ClaimRejected(FactRoot, frozen=True, tag="claim_rejected"):
    """R-21: undone exactly; `flow` is what the pot and the house get back."""

    claim: str
    pot: str
    casino: str
    held: int
    flow: Flow
    reason: str
    by: str
    second: str
    overflow: int = 0


class AwardConfirmed(FactRoot, frozen=True, tag="award_confirmed"):
    """R-21: an award was verified and can be paid."""

    award: str
    by: str
    second: str = ""


class ClaimCorrected(FactRoot, frozen=True, tag="claim_corrected"):
    """R-34, R-35: a pass put right in one act. `place` is the fact at whose instant it is settled; `hands` are all that
    is true now; `awards` and `resettled` are what is newly owed; `cancelled` was false and not paid, `lost` was false
    and paid; `flow` brings the pot to where it would stand had all been right at once, the house making the sum.
    `wanted`: asked by a neighbour, or of the owner of the pot, under this number. Where a neighbour owns the pot
    (`above`) the flow is what the house of the pass bears, `held` by how much what is held for the pass changed, and a
    pass that is another node's has no name: only what was settled again is of this one."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    place: int
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    before: Levels
    awards: tuple[RegisteredAward, ...]
    unpaid: tuple[Unpaid, ...]
    cancelled: tuple[str, ...]
    lost: tuple[Loss, ...]
    resettled: tuple[Resettled, ...]
    flow: Flow
    overflows: tuple[tuple[str, int, int], ...]
    reason: str
    by: str
    second: str = ""
    recording: str = ""
    resolution: str = ""
    late: tuple[int, ...] = ()
    confirmed: bool = False
    since: int = 0
    void: bool = False
    above: str = ""
    wanted: int = 0
    held: int = 0
    log: int = 0


class AwardSetAside(FactRoot, frozen=True, tag="award_set_aside"):
    """R-35: its winner could not be found; the house goes on owing it without a term."""

    award: str
    pot: str
    amount: int
    reason: str
    by: str
    second: str


class AwardPaid(FactRoot, frozen=True, tag="award_paid"):
    """`promo`: promotional credits, on the seat from now on. `paid_in`: cash, chips or promotional credits (R-29).
    `advanced`: what of it the player had already, and goes back to the house that had advanced it (R-20)."""

    award: str
    pot: str
    casino: str
    seat: int
    amount: int
    by: str
    promo: bool = False
    paid_in: str = ""
    table: str = ""
    advanced: int = 0


class AwardOverdue(FactRoot, frozen=True, tag="award_overdue"):
    """R-21: an alarm, never a decision."""

    award: str
    since: int


class LateRegistered(FactRoot, frozen=True, tag="late_registered"):
    """R-34: winners found after a payment, paid by the house."""

    claim: str
    pot: str
    casino: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[RegisteredAward, ...]
    by: str
    second: str


class Drawn(FactRoot, frozen=True, tag="drawn"):
    """R-30: one draw; `seats` are those who took part, so that the seed shows it was this and nothing else."""

    table: str
    number: int
    prize: str
    closed: str
    seats: tuple[int, ...]
    hit: bool
    seat: int = 0
    card: str = ""


class PrizeGranted(FactRoot, frozen=True, tag="prize_granted"):
    """R-29: a complementary prize, held from the draw on. Without `held` it is of the first reading: promotional
    credits were on the seat at once. `card`: the one that its winner was dealt (R-32)."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    prize: str
    seat: int
    amount: int
    flow: Flow
    promo: bool = False
    by: str = ""
    held: bool = False
    paid_in: str = ""
    before: Levels | None = None
    card: str = ""
    above: str = ""
    log: int = 0


# Links: neighbours, letters, and what only a shared pot has


class NeighbourPinned(FactRoot, frozen=True, tag="neighbour_pinned"):
    """R-28: two persons read its fingerprint aloud. `key`: of the link; `inside`: of the same casino, so that one of
    both takes the commission for all its tables (R-23). Pinned again, it has another key. `tells`: by which list this
    node tells its neighbours what happened: 2 has the close of a day too, and of a void what the pots keep; 3 the days
    of boxes behind a node without tables, and the one on which a pot was left; 4 that a claim is not believed."""

    neighbour: str
    side: Side
    key: str
    by: str
    second: str
    inside: bool = False
    tells: int = 1


class NeighbourRevoked(FactRoot, frozen=True, tag="neighbour_revoked"):
    """R-28: nothing is heard from it any more."""

    neighbour: str
    reason: str
    by: str
    second: str


class LinkSeen(FactRoot, frozen=True, tag="link_seen"):
    """The link to a neighbour stands, or does not any more; `since`: the instant of the last word from it."""

    neighbour: str
    up: bool
    since: int


class OwnerSeen(FactRoot, frozen=True, tag="owner_seen"):
    """The link to a neighbour stands, and through it the owner of this pot is heard no more, or again; `since` then."""

    pot: str
    neighbour: str
    up: bool
    since: int


class NeighbourStopped(FactRoot, frozen=True, tag="neighbour_stopped"):
    """What it says does not follow what it said; nothing more is heard from it until two persons have looked. `said`:
    where it says that the stream stands."""

    neighbour: str
    stream: str
    why: Broken
    said: Mark


class NeighbourAccepted(FactRoot, frozen=True, tag="neighbour_accepted"):
    """Two persons have looked: from here on its stream goes on where it says."""

    neighbour: str
    stream: str
    mark: Mark
    reason: str
    by: str
    second: str


class LetterTold(FactRoot, frozen=True, tag="letter_told"):
    """A letter of ours, fixed here: `stream` is `to:NEIGHBOUR` upwards and `pot:POT` downwards; `previous` the hash of
    the letter before it in its stream."""

    stream: str
    epoch: int
    number: int
    previous: str
    version: int
    letter: Letter


class LetterHeard(FactRoot, frozen=True, tag="letter_heard"):
    """What a neighbour told was taken, with all that follows from it before this fact. `letter`: of a pot's log, so
    that its owner can be told again what it decided; or that a day was closed there, which at most is told on."""

    neighbour: str
    stream: str
    mark: Mark
    letter: Letter | None = None
    version: int = 0


class LetterAcknowledged(FactRoot, frozen=True, tag="letter_acknowledged"):
    """A neighbour has our stream up to here in its own record."""

    neighbour: str
    stream: str
    mark: Mark


class LetterDisputed(FactRoot, frozen=True, tag="letter_disputed"):
    """R-28: what a neighbour told cannot be, by the plan of its pot: acknowledged, and its money stands apart until two
    persons decide. `table` and `about`: as it is called here; `amount`: what it would have brought, signed."""

    neighbour: str
    number: int
    pot: str
    table: str
    about: str
    amount: int
    why: str
    letter: Letter


class DisputeEnded(FactRoot, frozen=True, tag="dispute_ended"):
    """R-28: taken after all, into the main pot, or left with the casino that told it. `of_table`: where it happened, if
    the tables of that neighbour are of several casinos. `claim`: it was about these winners; taken, they are decided
    behind this fact, and the money goes back to the clearing first."""

    neighbour: str
    number: int
    pot: str
    amount: int
    accepted: bool
    reason: str
    by: str
    second: str
    log: int = 0
    of_table: str = ""
    claim: str = ""


class DisputeHeard(FactRoot, frozen=True, tag="dispute_heard"):
    """R-28: the owner of a pot has decided about what it did not believe of ours."""

    pot: str
    casino: str
    above: str
    number: int
    amount: int
    accepted: bool
    reason: str


class ClaimAsked(FactRoot, frozen=True, tag="claim_asked"):
    """R-20, R-34: the winners of a pass whose pot is a neighbour's. Multiples and fixed amounts are certain and held at
    once; a percentage has no amount until the owner decides."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    above: str
    community: tuple[str, ...]
    hands: tuple[Hand, ...]
    awards: tuple[RegisteredAward, ...]
    waiting: tuple[int, ...]
    unpaid: tuple[Unpaid, ...]
    by: str


class ClaimDecided(FactRoot, frozen=True, tag="claim_decided"):
    """R-18, R-20: what the owner of the pot decided of a claim that was asked: every award with its amount and sources,
    the base that the house put in (R-19), and the pot before and after. `left`: the node whose two did not take it into
    their pot; what waited is what the rules give on the pot as they said it then, and this house bears it (R-28)."""

    claim: str
    table: str
    number: int
    pot: str
    casino: str
    above: str
    before: Levels
    awards: tuple[RegisteredAward, ...]
    after: Levels
    waited: tuple[int, ...]
    base_back: Flow | None = None
    left: str = ""


class ClaimDoubted(FactRoot, frozen=True, tag="claim_doubted"):
    """R-21, R-28: the owner of the pot does not believe a claim that waits here, and why; two of his people end it."""

    claim: str
    table: str
    number: int
    pot: str
    above: str
    why: str


class CorrectionAsked(FactRoot, frozen=True, tag="correction_asked"):
    """R-34, R-35: a pass whose pot is a neighbour's is to be put right. Until the answer is in the record nothing of
    the pass is paid. `wanted`: numbered by the node that has the table. `at`: when it was asked there; `first`:
    when the first claim of the pass was registered there, if one was."""

    wanted: int
    act: str
    table: str
    number: int
    pot: str
    casino: str
    above: str
    claim: str = ""
    hands: tuple[Hand, ...] | None = None
    community: tuple[str, ...] = ()
    seats_out: tuple[int, ...] = ()
    prizes_out: tuple[str, ...] = ()
    prize_in: str = ""
    reason: str = ""
    by: str = ""
    second: str = ""
    recording: str = ""
    resolution: str = ""
    before_next_seal: bool = False
    confirmed: bool = False
    void: bool = False
    at: int = 0
    first: int = 0


class CorrectionRefused(FactRoot, frozen=True, tag="correction_refused"):
    """R-34: the owner's record shows that it cannot be; what was frozen goes on."""

    wanted: int
    table: str
    number: int
    pot: str
    code: str
    sentence: str
    log: int = 0


class HouseCharged(FactRoot, frozen=True, tag="house_charged"):
    """R-18, R-25: what a neighbour's pot lacked, and the house of this casino bears."""

    pot: str
    table: str
    casino: str
    above: str
    amount: int
    cause: str


class ShareHeard(FactRoot, frozen=True, tag="share_heard"):
    """R-28: of a pot that this casino left, its owner has given it this much; it is kept for players, until two persons
    move it into a pot here."""

    pot: str
    above: str
    amount: int
    resolution: str
    by: str
    second: str


class PotLeft(FactRoot, frozen=True, tag="pot_left"):
    """R-28: the owner `above` never comes back, and the pot is this node's from here on. So much `stood` with
    him, below nothing what he owed; what had waited for him was decided before this fact, and the `amount` is what that
    left: the pot, `after` it, or the loss of the house of `casino`. `plan`: the hash of one that he had proposed."""

    pot: str
    casino: str
    above: str
    stood: int
    amount: int
    after: Levels
    resolution: str
    by: str
    second: str
    plan: str = ""


class PlanProposed(FactRoot, frozen=True, tag="plan_proposed"):
    """R-26: the owner of a pot has a plan that waits for everybody's tables."""

    pot: str
    plan: str
    ruleset: str
    resolution: str
    above: str
    by: str = ""
    second: str = ""


class PlanReady(FactRoot, frozen=True, tag="plan_ready"):
    """R-26: nothing is in progress or pending at the tables here, or at this neighbour's (`neighbour`): its tables stay
    closed until the plan takes effect or is taken back."""

    pot: str
    plan: str
    neighbour: str = ""


class PlanDropped(FactRoot, frozen=True, tag="plan_dropped"):
    """R-26: the plan that the owner had proposed does not come."""

    pot: str
    plan: str
    above: str
    by: str = ""


class AwardAdvanced(FactRoot, frozen=True, tag="award_advanced"):
    """R-18, R-20: two persons handed the winner part of a percentage that waits, from the house of his casino."""

    award: str
    pot: str
    casino: str
    seat: int
    amount: int
    reason: str
    by: str
    second: str


class AdvanceHeard(FactRoot, frozen=True, tag="advance_heard"):
    """R-28: a casino below advanced so much of an award; it moves no money here."""

    award: str
    pot: str
    casino: str
    seat: int
    amount: int
    by: str


class DecisionTaken(FactRoot, frozen=True, tag="decision_taken"):
    """R-28: a letter of a log of ours that went with a restore came back from a neighbour who had heard it. The fact
    after this one is that letter, in its place and of its epoch; what it decided binds."""

    neighbour: str
    stream: str
    mark: Mark


class MemberReturned(FactRoot, frozen=True, tag="member_returned"):
    """R-28: after a restore: of this log the neighbour has heard nothing that this record has not."""

    neighbour: str
    stream: str
    mark: Mark


class WentOnWithout(FactRoot, frozen=True, tag="went_on_without"):
    """R-28: after a restore two persons named who is missing, and the owner of the pot decides without them."""

    pot: str
    neighbours: tuple[str, ...]
    reason: str
    by: str
    second: str


class NeighbourWentBack(FactRoot, frozen=True, tag="neighbour_went_back"):
    """R-27, R-28: a neighbour was restored, lives in a new epoch, and has our stream up to here; what it had beyond is
    told it again."""

    neighbour: str
    stream: str
    epoch: int
    mark: Mark


Fact = (
    NodeFounded
    | ReadingAdopted
    | NodeRestored
    | PersonEnrolled
    | PersonUnlocked
    | VerifiersSealed
    | PinsReplaced
    | TerminalEnrolled
    | TerminalWithdrawn
    | PlanStaged
    | PlanWithdrawn
    | PlanTookEffect
    | DayOpened
    | DayClosed
    | DayRenamed
    | SeedLost
    | PassOpened
    | CreditsBought
    | CreditsCashed
    | CreditsLeft
    | LeftPaid
    | OwedPaid
    | DeviceAdopted
    | BetMade
    | BetRefused
    | ChipsFell
    | DeviceVoided
    | DeviceSeen
    | DeviceDisbelieved
    | DeviceTended
    | FirmwareSeen
    | LampChanged
    | LampsTested
    | SeatClosed
    | SeatOpened
    | SeatCounted
    | SuspenseCleared
    | VoidSigned
    | Locked
    | SeatProven
    | PassSealed
    | HandsVoided
    | PassClosed
    | ClaimRegistered
    | ClaimRejected
    | ClaimCorrected
    | AwardSetAside
    | AwardConfirmed
    | AwardPaid
    | AwardOverdue
    | LateRegistered
    | Drawn
    | PrizeGranted
    | MoneyMoved
    | TrainingStarted
    | TrainingEnded
    | ClockWentBack
    | NothingNew
    | Refused
    | IdReused
    | UnprovenRefused
    | NodeStarted
    | NodeStopped
    | ClockStepped
    | ClockNoted
    | NeighbourPinned
    | NeighbourRevoked
    | LinkSeen
    | OwnerSeen
    | NeighbourStopped
    | NeighbourAccepted
    | LetterTold
    | LetterHeard
    | LetterAcknowledged
    | LetterDisputed
    | DisputeEnded
    | DisputeHeard
    | ClaimAsked
    | ClaimDecided
    | ClaimDoubted
    | CorrectionAsked
    | CorrectionRefused
    | HouseCharged
    | ShareHeard
    | PotLeft
    | PlanProposed
    | PlanReady
    | PlanDropped
    | AwardAdvanced
    | AdvanceHeard
    | DecisionTaken
    | MemberReturned
    | WentOnWithout
    | NeighbourWentBack
)


class Entry(Struct, frozen=True):
    """One fact as it stands in the chain: its number, the instant, the id of the input it answers, the fingerprint of
    that input's content, and the fact."""

    seq: int
    at: int
    id: tuple[str, int, int]
    ask: str
    fact: Fact
