#!/bin/sh
# The rules and the record at work, with the real commands, beside the playing casino of `make run`:
# `sh docs/examples/record.sh .venv/bin`, from the top of the project, with the folder of the `pozo` command. A command that ends otherwise than it
# should ends the tour.
set -u
bin=$1
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
show() {
  wanted=$1
  shift
  printf '\033[36m$ pozo %s\033[0m\n' "$*" >&2
  "$bin/pozo" "$@"
  code=$?
  [ "$code" = "$wanted" ] || { echo "tour: pozo $1 ended with $code, not $wanted" >&2; exit 1; }
}

mkdir -p var
say "1. A pot's approved plan, as the sheet an authority signs (Spanish, like everything a casino reads)"
show 0 plan check config/plans/pozo-estelar.toml

say "2. A plan no authority should be asked to approve"
sed 's/^commission_ppm = 200000/commission_ppm = 620000/' config/plans/pozo-estelar.toml > var/too-greedy.toml
show 1 plan check var/too-greedy.toml

say "3. Passes settled to the peso: winners in paying order, their sources, and why the others are not paid"
show 1 settle docs/examples/passes.jsonl
echo "   (exit code 1: the last line was refused, and said so in its place)"

say "4. Bets split exactly: commission, reserve and main pot, with every fraction carried"
show 0 accrue docs/examples/bets.jsonl

say "5. A whole casino: ten tables on two pots, three gaming days, every mishap, each fact on the disk before it counts"
rm -rf var/casino
show 0 rehearse var/casino --passes 3000 --days 3 --seed 7

say "6. The auditor believes nothing: every split, award, draw and balance computed again by other code"
show 0 verify var/casino/node.db --keep var/casino/witness.json

say "7. The first day's report (text, --csv, --json, --pdf to sign), each figure with its facts"
show 0 report day 2026-11-01 var/casino/node.db --pdf var/casino/day.pdf > var/casino/day.txt || exit 1
sed -n '1,40p' var/casino/day.txt
echo "   ... all of it: var/casino/day.txt   to sign: var/casino/day.pdf"

say "8. A player disputes: the arithmetic of the last award, rule by rule"
award=$("$bin/pozo" meters var/casino/node.db --json | tr -d ' \n' | grep -o '"award":"[A-Z0-9/-]*"' | head -1 | cut -d'"' -f4)
show 0 explain "$award" var/casino/node.db

say "9. Somebody makes one bet larger, in a copy"
show 0 export var/casino/node.db var/casino/record.jsonl
awk '!done && NR > 5000 && /"bet_made"/ { sub(/"amount":/, "\"amount\":1"); done = 1 } 1' \
  var/casino/record.jsonl > var/casino/changed.jsonl
show 1 verify var/casino/changed.jsonl

say "10. A table on a desk: seven seats, a console and a sign, on real serial ports (docs/device-contract.md)"
mkdir -p var/desk
"$bin/pozo" sim config/desks/draw.toml --ports var/desk --no-view < /dev/null > var/desk/said.txt 2>&1 &
desk=$!
trap 'kill $desk 2>/dev/null' EXIT
until [ -e var/desk/control ]; do kill -0 $desk 2>/dev/null || { cat var/desk/said.txt >&2; exit 1; }; sleep 0.1; done
show 0 device scan var/desk/mesa --units 1-7,20 --bauds 115200

say "11. Is seat 1 built as the contract says? Bets and locks, with the desk's own hands (without --only: all of it, a minute)"
show 0 device test var/desk/mesa --unit 1 --baud 115200 --hands var/desk/control --only 2.4-press --only 2.5
kill $desk
wait $desk 2>/dev/null

say "Try next"
cat <<'TEXT'
   .venv/bin/pozo meters var/casino/node.db
   .venv/bin/pozo report pot ensayo-estelar var/casino/node.db --csv
   .venv/bin/pozo verify var/casino/node.db --witness var/casino/witness.json
   .venv/bin/pozo backup var/casino/node.db var/casino/copy.db    then bring it back (the PIN of everybody is 246810):
   .venv/bin/pozo restore var/casino/copy.db var/casino/back.db --key var/casino/node.key --by tito --second ana --reason prueba
   .venv/bin/pozo sim config/desks/draw.toml                      a table to play with: seat 3 press 2, console lock, unit 4 unplug
   .venv/bin/pozo odds config/plans/pozo-estelar.toml             exact odds, and 100 million simulated bets
   docs/operators/commands.md says what the commands read and answer; docs/tour.md leads through the code.
TEXT
