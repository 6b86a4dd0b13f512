/**
 * What the pages say in English of every alarm, by its name. The Spanish sentence is the node's own and comes with it.
 *
 * `{name}` is a part of the node's sentence, `{$name}` one that is an amount of money. A part that is a fixed phrase of the
 * node's is said by `reasons.js`; where it is another Spanish phrase, the English sentence says the same without it.
 * `tests/web/test_words.py` holds the list complete.
 */

/** @type {Record<string, string>} */
export const ALARMS = {
  // A table and its seats
  seat_closed: "Table {table}, seat {seat}: closed ({why}).",
  seat_doubted: "Table {table}, seat {seat}: its acceptor is not believed; two persons count it.",
  unit_faults: "Table {table}: device {unit} says that {why}. Look at it; then “fallas {table} 0”.",
  unit_twin: "Table {table}: device {unit} says the serial number of device {other}. It stays locked. Change one of the two; then disconnect {unit} and connect it again.",
  bet_of_nobody: "Table {table}, seat {seat}: the device showed a bet that nobody made; it does not count. Look at it or change it.",
  chips_owed: "Table {table}, seat {seat}: hand {$amount} back to the player.",
  chips_owed_told: "Table {table}, seat {seat}: hand {$amount} back to the player, and tell a chief.",
  void_unsigned: "Table {table}, seat {seat}: a void of {$amount} that a chief has to sign.",
  unexplained: "At table {table}, {$amount} is unexplained.",
  table_unplanned: "Table {table} is in no plan that is in force: it cannot play.",
  devices_know_more: "Devices know more than the record ({seats}): it is an old copy, or they played elsewhere. Call the technician; two persons count.",

  // Awards and people
  award_check_late: "Award {award} has waited too long to be verified.",
  award_payment_late: "Award {award} is verified and has waited too long to be paid.",
  award_of_owner_late: "Award {award} has waited too long for the owner of its pot to say how much it is.",
  pins_guessed: "{failures} wrong PINs of {called} today: ask whether they were {called}'s own. Somebody else takes note of them: desbloquear {person}",

  // Plans
  plan_new: "The plan {file} of pot {pot} is not in force yet: two persons approve it (pozo ctl).",
  plan_new_far: "The plan {file} of pot {pot} is not in force yet: the node that owns the pot proposes it.",
  plan_other: "The plan {file} of pot {pot} is not the one in force: two persons approve it (pozo ctl).",
  plan_other_far: "The plan {file} of pot {pot} is not the one in force: the node that owns the pot proposes it.",
  plan_waits: "The new plan of pot {pot} waits until these are ready: {missing}.",
  plan_comes: "Pot {pot} changes its plan: its tables do not open until {above} says that it holds.",
  plan_proposed: "{above} proposes a plan for pot {pot}: it begins when no pass, no pending award and no money at a table that changes is left here.",
  plan_proposed_behind: "{above} proposes a plan for pot {pot}: it begins when no pass, no pending award and no money at a table that changes is left here; and these are not ready: {missing}.",
  plan_empties: "The new plan of pot {pot} changed tables with money on them; hand it back or set it aside: {tables}.",

  // A pot that nodes share
  no_link: "No link with {neighbour}.",
  no_link_to_owner: "No link with {neighbour}. Of its pots multiples and fixed amounts are paid; percentages wait.",
  owner_unheard: "Beyond {neighbour} the owner of pot {pot} is not heard. Of its pots multiples and fixed amounts are paid; percentages wait.",
  neighbour_stopped: "{neighbour} is heard no more ({stream}: {why}): two persons look at it.",
  claim_doubted: "{above} does not believe claim {claim}: two persons of the owner of the pot decide. To the player: the percentage waits for that; what is certain is paid.",
  claim_left: "{left} did not take claim {claim} into its pot: the house of {casino} pays it. Verify and pay it, or two reject it; else the authority decides.",
  claim_disputed: "The awards {about} wait: they were not believed here. Two persons: disputa tomar {neighbour}/{number}, or dejar.",
  word_disputed: "What {neighbour} said of {about} cannot be: two persons decide.",
  letters_come_back: "The node was restored, and {above} has not said how far it heard us: nothing of its pots opens or pays. The link is enough; or two persons go on without {above}.",
  decisions_come_back: "Pot {pot} gets back what it decided before the node was restored; missing: {missing}. Until then it decides nothing; or two persons go on without who is missing.",
  decided_offer: "Letter {number} of pot {pot}, from before the restore, says: {by} and {second} proposed a plan ({resolution}). Nobody tells it again: two persons decide it anew, or leave it.",
  decided_plan: "Letter {number} of pot {pot}, from before the restore, says: the plan of {by} and {second} came into force ({resolution}). Nobody tells it again: two persons decide it anew, or leave it.",
  decided_plan_base: "Letter {number} of pot {pot}, from before the restore, says: the plan of {by} and {second} came into force ({resolution}), with a base of {$amount} from the house {casino}. Nobody tells it again: two persons decide it anew, or leave it.",
  decided_no_offer: "Letter {number} of pot {pot}, from before the restore, says: {by} withdrew the plan that waited. Nobody tells it again: two persons decide it anew, or leave it.",
  decided_gift: "Letter {number} of pot {pot}, from before the restore, says: {by} and {second} gave {$amount} to {neighbour} ({reason}). Nobody tells it again: two persons decide it anew, or leave it.",
  decided_move: "Letter {number} of pot {pot}, from before the restore, says: {by} and {second} moved money ({reason}), and the pot then had {levels}. Nobody tells it again: two persons decide it anew, or leave it.",
  decided_right: "Letter {number} of pot {pot}, from before the restore, says: {signed} corrected pass {passed} of {table} ({reason}): {$amount} more. Nobody tells it again: two persons decide it anew, or leave it.",
  decided_right_less: "Letter {number} of pot {pot}, from before the restore, says: {signed} corrected pass {passed} of {table} ({reason}): {$amount} more, without {cancelled}. Nobody tells it again: two persons decide it anew, or leave it.",
  pot_lacks: "For {claim}, decided already, pot {pot} lacks {$amount} in {part}: two persons put it in.",
  pot_was_left: "Pot {pot} was left to {left} and is this node's: nobody plays for it without a plan of its own.",
  share_left: "Of the share of pot {pot}, {$amount} is left: two persons put it into a pot of this house.",
  links_deaf: "Neighbours cannot be heard at {listen} ({why}): play goes on without links.",
  webs_shut: "The webs of other boxes do not reach this node ({why}); play and pay all the same. Tell the technician.",

  // Mirrors of records
  mirrors_dead: "The mirrors stopped by a defect of the program; nothing is copied until the node starts again.",
  mirror_behind: "The mirror of this record at {neighbour} is behind. Play and pay all the same; but if this machine burns now, it will lack what it told last. Look at that node's disk and alarms.",
  mirror_differs: "The mirror of {box} and its record do not agree. Nothing of it is copied until two persons have looked.",
  mirror_not_kept: "The mirror of {box} is not kept. Look at this node's disk.",
  mirror_silent: "The mirror of {box}: that node does not show its record. Look there whether it can be read.",
  mirror_unread: "The mirror of {box} cannot be read to make that box anew. Look at this node's disk.",
  mirror_given: "The mirror of {box} (up to fact {seq}) is handed to the key {key}. If nobody is making that box anew now, two persons revoke that key.",
  mirror_record_unread: "This node cannot read its record for its mirror. Call the technician.",
  mirror_unsealed: "This node cannot seal what is needed to make it anew. Call the technician.",
  mirror_without_codes: "If this machine burns, nobody can make it anew from its mirror: two persons make its codes with pozo escrow.",
  mirror_head_unkept: "{place} does not keep what the neighbour countersigned ({why}).",

  // The record, the clock, the machine
  head_newer: "This record is not the newest: the witness is in {place}. The next start will not open it. Bring back the record that is missing; if it is lost, two persons restore a backup (pozo restore).",
  head_late: "{place} does not take the witnesses of the record: look at that disk or its network.",
  head_place_fails: "{place} does not take the witnesses of the record: look at that disk or its network.",
  head_strange: "In {place} is something that this node did not sign; it was not heeded. See who writes there.",
  head_gone: "{place} is not there, which this node always writes: somebody took it away, or the record came from another machine. Check that the record is the newest.",
  head_unsaid: "{place} keeps the witness of fact {seq} of epoch {epoch}, which the restore did not name: more was lost than the two persons signed.",
  seed_lost: "The seed of day {day} is not there: its draws wait, and the day cannot be closed.",
  disk_low: "The record's disk has {free} MB left ({folder}): make room. When it is full, the tables lock.",
  clock_ahead: "The machine's clock is {n} {unit} ahead: somebody changed it. A technician looks at it; a chief or technician takes note. The order of facts and the time of awards do not change.",
  clock_behind: "The machine's clock is {n} {unit} behind: somebody changed it. A technician looks at it; a chief or technician takes note. The order of facts and the time of awards do not change.",
  clock_before_program: "This machine's clock is before 2026: set it. Play goes on, with wrong hours.",
  clock_before_record: "The clock is {hours} h before the last fact of the record: set it. The order does not change.",
  clock_after_record: "The clock is more than a year after the last fact of the record: check this machine's date.",
  out_of_service: "OUT OF SERVICE: the node failed three times in a row. Call the technician.",

  // Lines and signs
  line_lost: "Line {line} was lost ({place}): check the cable and the adapter.",
  line_shut: "Line {line} cannot be opened ({place}): {why}.",
  line_babbles: "Line {line}: device {unit} talks without being asked; disconnect its data cable.",
  line_one_babbles: "Line {line}: a device talks without being asked, one of {units}; disconnect them one by one.",
  line_noisy: "Line {line}: something is heard that nobody asked for, and all answer; check the cable and its earth.",
  sign_wrong: "Sign {sign} of pot {pot}: it {why}.",
  sign_differs: "Sign {sign} of pot {pot}: it shows «{shows}» and has to show «{wanted}».",
};
