"""Imported before the steps of the evening: a step that fails says what it saw."""

import pytest

pytest.register_assert_rewrite(
    "evening_draw", "evening_faults", "evening_house", "evening_slots", "evening_texas", "evening_training"
)
