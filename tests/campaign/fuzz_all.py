"""All targets of fuzzing by name."""

from campaign.fuzz_devices import DEVICES
from campaign.fuzz_door import DOOR
from campaign.fuzz_drivers import DRIVERS
from campaign.fuzz_links import LINKS
from campaign.fuzz_targets import CODECS

TARGETS = {target.name: target for target in (*CODECS, *DEVICES, *DRIVERS, *DOOR, *LINKS)}
