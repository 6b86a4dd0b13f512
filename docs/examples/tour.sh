#!/bin/sh
# The rules at work, with the real commands: what `make run` shows until the node exists.
# Called from the top of the project with the folder of the `pozo` command. A command that ends otherwise than it
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

say "5. The same plan drawn for the board: 100 million simulated bets"
show 0 odds config/plans/pozo-estelar.toml --plot var/pozo-estelar.svg > var/pozo-estelar.txt || exit 1
echo "   report: var/pozo-estelar.txt   picture: var/pozo-estelar.svg (open it in a browser)"

say "Try next"
cat <<'TEXT'
   .venv/bin/pozo settle docs/examples/passes.jsonl | head -1
   .venv/bin/pozo odds config/plans/puerto-norte.toml --seats 6 --paths 1000
   cp config/plans/illimani.toml var/mine.toml    then break it, and: .venv/bin/pozo plan check var/mine.toml
   docs/commands.md says what the commands read and answer; docs/map.md leads through the code.
TEXT
