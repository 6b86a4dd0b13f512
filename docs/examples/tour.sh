#!/bin/sh
# A casino at play: three tables, two pots, simulated devices and people, the real node. What `make run` shows.
# Called from the top of the project with the folder of the `pozo` command; `make run SPEED=5` plays slower, and
# `make run CASINOS=2` plays two casinos, each on its own node, and the pot that they share.
# The rules and the record, command by command: docs/examples/record.sh
case "${CASINOS:-1}" in
  1) exec "$1/pozo" demo --speed "${SPEED:-20}" --folder var/demo ;;
  *) exec "$1/pozo" demo --speed "${SPEED:-20}" --casinos "$CASINOS" --folder var/demo-2 ;;
esac
