#!/bin/sh
# A casino at play: three tables, two pots, simulated devices and people, the real node. What `make run` shows.
# Called from the top of the project with the folder of the `pozo` command; `make run SPEED=5` plays slower.
# The rules and the record, command by command: docs/examples/record.sh
exec "$1/pozo" demo --speed "${SPEED:-20}" --folder var/demo
