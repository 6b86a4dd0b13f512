"""What is published is written piece by piece, and is byte for byte what the encoder writes of the whole."""

import io

import msgspec
import pytest
import structlog

from bench.tables import Played, standing
from controller.node.control import control
from controller.node.control.view_writer import ViewWriter
from controller.node.telemetry.journal import set_up
from drivers.session import SECOND

TABLES = 3


@pytest.fixture
def views():
    """Of three tables that play, one after the other."""
    set_up(io.StringIO(), under_systemd=False)
    seen = []
    with standing(Played, TABLES) as made:
        made.control.show = lambda view, _: seen.append(view)
        made.evening(4 * SECOND)
    structlog.reset_defaults()
    return seen


def test_what_is_published_is_what_the_encoder_writes_and_only_what_changed_is_encoded(views, monkeypatch):
    encoded = []
    encode = control._encode
    monkeypatch.setattr(control, "_encode", lambda value: encoded.append(value) or encode(value))
    writer = ViewWriter()
    assert len(views) > 50
    for view in views:
        assert writer.write(view) == msgspec.json.encode(view)

    parts = [
        one for view in views for name in ("tables", "pots", "units", "seats", "feeds") for one in getattr(view, name)
    ]
    assert len(encoded) < len(parts) / 4, "most of a view is as it was"


def test_one_value_that_stands_twice_in_a_list_is_written_twice(views):
    view = msgspec.structs.replace(views[-1], units=views[-1].units[:1] * 2)
    writer = ViewWriter()

    assert writer.write(view) == writer.write(view) == msgspec.json.encode(view)
