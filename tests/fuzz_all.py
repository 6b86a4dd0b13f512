"""All targets of fuzzing by name."""

from fuzz_devices import DEVICES
from fuzz_drivers import DRIVERS
from fuzz_targets import CODECS

TARGETS = {target.name: target for target in (*CODECS, *DEVICES, *DRIVERS)}
