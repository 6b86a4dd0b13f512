"""The driver of an Alpha/BetaBrite sign: what it should show against what it was given, which heals itself.

Rules. The newest value wins: nothing is queued, each transmission is made from what is wanted when it goes out, and the
line's own speed is the limit. What the sign has is only what went out whole (and was acknowledged, where the sign
can), so a line that broke, a refusal or a stall of ours is simply written again. A file that reads back otherwise is
written again; the second time, or after silence, everything is, memory map first; the third time the sign is reset.
All is written anew when its owner says so, and every quarter of an hour in any case: the one cure for a sign that can
say nothing and lost its memory (devices.md 1.5). That clears the sign for a moment, so its owner chooses the moment.

Before the owner first says what to show, nothing is sent: an old amount for a second beats a blank sign.
"""

from collections import deque
from enum import Enum, auto

from drivers.line.news import News
from drivers.model import DeviceEvent, SignState
from drivers.session import MILLISECOND, Micros
from drivers.signs import alpha
from drivers.signs.alpha_answers import Answers, ErrorRegister, Errors, Receipt, Stored
from drivers.signs.alpha_layout import AlphaSettings, Part, line_content, read, showing, too_wide, write
from drivers.signs.letters import Unwritable, decoded, encoded

STALLED: Micros = 900 * MILLISECOND  # a sign drops what it has after a second between two bytes
RESET_AFTER = 3  # strikes
MOST_EVENTS = 16  # the owner needs only the newest state
_READABLE = (Part.PRIZE, Part.AMOUNT, Part.INCREMENT, Part.LINE)


class _Phase(Enum):
    IDLE = auto()
    SENDING = auto()  # pieces are to come, or the last is on the wire
    VERDICT = auto()
    READING = auto()


class AlphaSign:
    def __init__(self, settings: AlphaSettings) -> None:
        self.settings = settings
        self._wanted: dict[Part, bytes] | None = None  # nothing, until the owner said so
        self._has: dict[Part, bytes] = {}  # what went out whole since the memory map
        self._unproven: list[Part] = []  # to be read
        self._strikes = 0  # how often it differed or refused
        self._struck: set[Part] = set()  # in which; what it then takes is forgiven
        self._silences = 0
        self._answers = Answers()
        self._phase = _Phase.IDLE
        self._at: Micros = 0  # when the phase wants to go on
        self._sent: Micros = 0  # when the last piece was through
        self._pieces: deque[bytes] = deque()
        self._writing: dict[Part, bytes] = {}
        self._reading: Part | None = None
        self._rewrite_at: Micros | None = None
        self._check_at: Micros | None = None
        self._renewed = False  # its owner wants everything written anew
        self._up = False
        self._out = b""
        self._news = News(settings.number, most=MOST_EVENTS)

    # What the owner wants.

    def show(self, amount: str, increment: str = "") -> Unwritable | None:
        news = {}
        for part, text in ((Part.AMOUNT, amount), (Part.INCREMENT, increment)):
            content = encoded(text)
            if isinstance(content, Unwritable):
                return content
            if len(content) > self.settings.string_size:
                return Unwritable(f"{text!r} is longer than the {self.settings.string_size} bytes of its file")
            news[part] = content
        refusal = too_wide(self.settings, amount, increment)
        if refusal is None:
            self._want(news)
        return refusal

    def prize(self, text: str) -> Unwritable | None:
        """Silences the pot until `end_prize`."""
        content = encoded(text)
        if isinstance(content, Unwritable):
            return content
        if not content:
            return Unwritable("a prize without words would end the prize")
        if len(content) > alpha.MOST_PRIORITY:
            return Unwritable(f"{len(content)} bytes; the sign has room for {alpha.MOST_PRIORITY}")
        self._want({Part.PRIZE: content})
        return None

    def end_prize(self) -> None:
        self._want({Part.PRIZE: b""})

    def renew(self) -> None:
        """Everything at once, memory map first, also to a sign that was given up a moment ago; what it then says is
        news."""
        self._renewed = True
        self._news.say_anew()

    def _want(self, news: dict[Part, bytes]) -> None:
        wanted = self._wanted
        if wanted is None:
            wanted = dict.fromkeys(Part, b"") | {Part.LINE: line_content(self.settings)}
        self._wanted = wanted | news

    # The five verbs.

    def receive(self, data: bytes, now: Micros) -> None:
        for answer in self._answers.receive(data):
            if self._phase is _Phase.VERDICT and isinstance(answer, Receipt):
                self._silences = 0
                self._written(now) if answer.taken else self._refused(now)
            elif self._phase is _Phase.READING and isinstance(answer, Stored):
                self._read(answer, now)
            elif isinstance(answer, Errors) and answer.register & ErrorRegister.ILLEGAL:
                self._has.clear()  # it does not know a file of ours

    def to_send(self, now: Micros) -> bytes:  # noqa: ARG002  (what is due has been written by `tick`)
        out, self._out = self._out, b""
        return out

    def deadline(self) -> Micros | None:
        if not self._up or self._wanted is None:
            return None
        if self._phase is _Phase.IDLE and self._renewed:
            return min(self._at, self._sent + self.settings.clearing)
        if self._phase is not _Phase.IDLE or self._next_parts() or self._unproven:
            return self._at
        times = [time for time in (self._rewrite_at, self._check_at) if time is not None]
        return max(self._at, min(times)) if times else None

    def tick(self, now: Micros) -> None:
        while (due := self.deadline()) is not None and due <= now:
            self._go_on(now)

    # What a session adds to them.

    def next_event(self) -> DeviceEvent | None:
        return self._news.next()

    def line_up(self, now: Micros) -> None:
        self._stop(now)
        self._up = True
        self._has.clear()
        self._unproven.clear()
        self._silences = self._strikes = 0
        self._struck.clear()
        self._rewrite_at = self._check_at = None

    def line_down(self, now: Micros) -> None:
        self._stop(now)
        self._up = False
        self._out = b""
        self._news.sign(SignState.DOWN, "")

    # How it goes on.

    def _go_on(self, now: Micros) -> None:
        match self._phase:
            case _Phase.IDLE:
                self._next(now)
            case _Phase.SENDING if not self._pieces:
                self._through(now)
            case _Phase.SENDING if now - self._sent > STALLED:
                self._stop(now)  # the sign has dropped the beginning
            case _Phase.SENDING:
                self._put(now)
            case _:
                self._silent(now)

    def _next(self, now: Micros) -> None:
        if self._renewed:
            self._renewed, self._silences, self._strikes = False, 0, 0
            self._struck.clear()
            self._has.clear()
            self._unproven.clear()
        if self._strikes >= RESET_AFTER:
            self._strikes = 0
            self._struck.clear()
            self._has.clear()
            self._send([alpha.soft_reset()], now)
            return
        if self._rewrite_at is not None and now >= self._rewrite_at:
            self._has.clear()
            self._rewrite_at = None
        if self._check_at is not None and now >= self._check_at:
            self._unproven = list(_READABLE)
            self._check_at = None
        parts = self._next_parts()
        incomplete = Part.LINE not in self._has
        if parts and (incomplete or Part.PRIZE in parts or not self._unproven):
            self._write(parts, now)
        else:  # before the next amount: one that changes all the time is proven all the same
            self._ask(self._unproven[0], now)

    def _next_parts(self) -> tuple[Part, ...]:
        """What goes into one transmission: the pot and its increment change together, the rest alone."""
        wanted, has = self._wanted, self._has
        assert wanted is not None, "something is to be shown"
        missing = [part for part in Part if has.get(part) != wanted[part]]
        if missing[:2] == [Part.AMOUNT, Part.INCREMENT]:
            return Part.AMOUNT, Part.INCREMENT
        return tuple(missing[:1])

    def _write(self, parts: tuple[Part, ...], now: Micros) -> None:
        assert self._wanted is not None
        self._writing = {part: self._wanted[part] for part in parts}
        commands = [write(self.settings, part, content) for part, content in self._writing.items()]
        if parts == (Part.MAP,) and self.settings.acknowledges:
            commands.insert(0, alpha.acknowledge_writes(on=True))
        if Part.LINE in parts:
            commands.append(alpha.run_sequence(Part.LINE.value))
        self._send(commands, now)

    def _ask(self, part: Part, now: Micros) -> None:
        self._reading = part
        self._send([read(part)], now)

    def _send(self, commands: list[alpha.SignCommand], now: Micros) -> None:
        self._answers.forget()
        self._pieces.extend(alpha.pieces(commands, self.settings.kind, self.settings.address))
        self._phase = _Phase.SENDING
        self._put(now)

    def _put(self, now: Micros) -> None:
        piece = self._pieces.popleft()
        self._out += piece
        self._sent = now + self.settings.wire(len(piece))
        self._at = self._sent + (self.settings.nested if self._pieces else 0)

    def _through(self, now: Micros) -> None:
        if self._reading is not None:
            self._phase, self._at = _Phase.READING, self._sent + self.settings.answer
        elif self.settings.acknowledges:
            self._phase, self._at = _Phase.VERDICT, self._sent + self.settings.answer
        else:
            self._written(now)

    def _stop(self, now: Micros) -> None:
        """Whatever was under way is not; what is wanted then decides what comes next."""
        self._phase = _Phase.IDLE
        self._at = now + self.settings.gap
        self._pieces.clear()
        self._writing, self._reading = {}, None

    # What became of it.

    def _written(self, now: Micros) -> None:
        parts = self._writing
        self._stop(now)
        self._has |= parts
        if self.settings.acknowledges and not self.settings.reads:
            for part in parts:
                self._forgive(part)
        if not parts:
            self._at = now + self.settings.retry  # it was reset and wakes up
        elif Part.MAP in parts:
            self._at = now + self.settings.clearing
            self._has = parts
        elif self.settings.reads:
            self._unproven += [part for part in parts if part not in self._unproven]
        if Part.LINE in parts:
            self._rewrite_at = now + self.settings.rewrite
        text = showing(self.settings, self._has)
        if text and not self.settings.reads:
            self._news.sign(SignState.WRITTEN, text)

    def _refused(self, now: Micros) -> None:
        """It heard and did not take it: the same again."""
        parts = set(self._writing)
        self._stop(now)
        self._strike(parts, now)
        self._news.sign(SignState.DIFFERS, "")

    def _strike(self, parts: set[Part], now: Micros) -> None:
        self._strikes += 1
        self._struck |= parts
        if self._strikes > 1:
            self._has.clear()
            self._unproven.clear()
            self._at = now + self.settings.retry

    def _read(self, answer: Stored, now: Micros) -> None:
        part = self._reading
        assert part is not None, "a reading phase reads something"
        if answer.label != part.value:
            return  # late, of another question
        self._silences = 0
        self._stop(now)
        self._unproven.remove(part)
        if answer.words != self._has.get(part):
            self._has.pop(part, None)
            self._strike({part}, now)
            self._news.sign(SignState.DIFFERS, decoded(answer.words))
            return
        self._forgive(part)
        if not self._unproven and len(self._has) == len(Part):
            self._check_at = now + self.settings.check
            self._news.sign(SignState.PROVEN, showing(self.settings, self._has))

    def _forgive(self, part: Part) -> None:
        self._struck.discard(part)
        if not self._struck:
            self._strikes = 0

    def _silent(self, now: Micros) -> None:
        self._silences += 1
        self._stop(now)
        if self._silences < self.settings.patience:
            return
        self._silences = 0
        self._has.clear()
        self._unproven.clear()
        self._at = now + self.settings.retry
        self._news.sign(SignState.DOWN, "")
