"""Small talkers for tests of lines, ports and racks: each does one thing, so that what the line does can be seen."""

from drivers.session import Micros


class Ear:
    """Notes what it hears and when."""

    def __init__(self) -> None:
        self.heard: list[tuple[Micros, bytes]] = []
        self.says = b""

    def receive(self, data: bytes, now: Micros) -> None:
        self.heard.append((now, bytes(data)))

    def to_send(self, now: Micros) -> bytes:
        said, self.says = self.says, b""
        return said

    def deadline(self) -> Micros | None:
        return None

    def tick(self, now: Micros) -> None:
        raise AssertionError("it never asked for it")

    @property
    def bytes(self) -> bytes:
        return b"".join(data for _, data in self.heard)


class Answers(Ear):
    """Answers each question that begins with its number, `wait` after it heard the last of it."""

    def __init__(self, number: int = 1, answer: bytes = b"answer", wait: Micros = 2_000) -> None:
        super().__init__()
        self.number, self.answer, self.wait = number, answer, wait
        self.due: Micros | None = None

    def receive(self, data: bytes, now: Micros) -> None:
        super().receive(data, now)
        if data[0] == self.number:
            self.due = now + self.wait

    def deadline(self) -> Micros | None:
        return self.due

    def tick(self, now: Micros) -> None:
        self.due, self.says = None, self.answer


class Asks(Ear):
    """A session: asks every `beat` while its port is up, and tells what it heard as events."""

    def __init__(self, question: bytes = b"\x01question", beat: Micros = 20_000) -> None:
        super().__init__()
        self.question, self.beat = question, beat
        self.due: Micros | None = None
        self.events: list[object] = []
        self.up = 0
        self.down = 0

    def receive(self, data: bytes, now: Micros) -> None:
        super().receive(data, now)
        self.events.append(("heard", bytes(data)))

    def deadline(self) -> Micros | None:
        return self.due

    def tick(self, now: Micros) -> None:
        self.says, self.due = self.question, now + self.beat

    def next_event(self) -> object | None:
        return self.events.pop(0) if self.events else None

    def line_up(self, now: Micros) -> None:
        self.up += 1
        self.due = now
        self.events.append("up")

    def line_down(self, now: Micros) -> None:
        self.down += 1
        self.due, self.says = None, b""
        self.events.append("down")


class Asleep(Ear):
    """Wants to be ticked and never moves its deadline: a busy loop."""

    def deadline(self) -> Micros | None:
        return 0

    def tick(self, now: Micros) -> None:
        pass
