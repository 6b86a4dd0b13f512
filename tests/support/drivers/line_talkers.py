"""Small talkers for tests of lines, ports and racks: each does one thing, so that what the line does can be seen."""


class Ear:
    """Notes what it hears and when."""

    def __init__(self):
        self.heard = []
        self.says = b""

    def receive(self, data, now):
        self.heard.append((now, bytes(data)))

    def to_send(self, now):
        said, self.says = self.says, b""
        return said

    def deadline(self):
        return None

    def tick(self, now):
        raise AssertionError("it never asked for it")

    @property
    def bytes(self):
        return b"".join(data for _, data in self.heard)


class Answers(Ear):
    """Answers each question that begins with its number, `wait` after it heard the last of it."""

    def __init__(self, number=1, answer=b"answer", wait=2_000):
        super().__init__()
        self.number, self.answer, self.wait = number, answer, wait
        self.due = None

    def receive(self, data, now):
        super().receive(data, now)
        if data[0] == self.number:
            self.due = now + self.wait

    def deadline(self):
        return self.due

    def tick(self, now):
        self.due, self.says = None, self.answer


class Asks(Ear):
    """A session: asks every `beat` while its port is up, and tells what it heard as events."""

    def __init__(self, question=b"\x01question", beat=20_000):
        super().__init__()
        self.question, self.beat = question, beat
        self.due = None
        self.events = []
        self.up = 0
        self.down = 0

    def receive(self, data, now):
        super().receive(data, now)
        self.events.append(("heard", bytes(data)))

    def deadline(self):
        return self.due

    def tick(self, now):
        self.says, self.due = self.question, now + self.beat

    def next_event(self):
        return self.events.pop(0) if self.events else None

    def line_up(self, now):
        self.up += 1
        self.due = now
        self.events.append("up")

    def line_down(self, now):
        self.down += 1
        self.due, self.says = None, b""
        self.events.append("down")


class Asleep(Ear):
    """Wants to be ticked and never moves its deadline: a busy loop."""

    def deadline(self):
        return 0

    def tick(self, now):
        pass
