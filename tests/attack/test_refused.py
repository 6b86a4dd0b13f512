"""Whoever has a PIN of his own can be refused; what that leaves on record is bounded, and honest people feel nothing.

On 36cd7b9 each refusal was a fact, some 500 a second (docs/campaigns.md, "Attacks, before and now").
"""

import pytest

from support.attack.child import HONEST, STRANGER
from support.attack.ground import SECONDS, ground

pytestmark = [pytest.mark.process, pytest.mark.campaign]


@pytest.mark.parametrize(
    ("what", "user"), [("refused", STRANGER), ("refused", HONEST), ("nothing", STRANGER), ("long", STRANGER)]
)
def test_a_person_who_is_refused_without_end_leaves_few_facts(template, what, user):
    with ground(template) as place:
        seen = place.under("support.attack.refused:again_and_again", SECONDS, what, user=user)

        print(seen.summary)
        seen.holds(facts=62 + int(SECONDS / 30))
        assert "too_many_refused" in seen.told
