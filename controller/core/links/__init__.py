"""Pots that nodes share: a table feeds the pot of a neighbour, and a pot here is fed by tables of others (R-9, R-28).

Theory. A **neighbour** is one more device: what it says becomes inputs, what it should know follows from our facts. The
neighbour **above** owns pots that our tables feed; a neighbour **below** has tables that feed pots here. A node may
have both: a casino's node stands between its boxes and the node that owns the pot of several casinos. What a node says
is a **letter**, fixed when it was committed, in a stream that is numbered without gaps: one stream to each neighbour
above, and one log for each pot, the same for all below.

letters      what one node can tell another
names        what a table and a claim of a neighbour are called here
placed       the tables of a plan as a node sees them
known        what the state keeps of all that
neighbours   whose key was pinned by two persons; whether the link to it stands
streams      letters written and heard: numbered, hashed, acknowledged; what does not follow stops that neighbour only
telling      which letters follow from a fact
hearing      which facts follow from a letter
proposals    a plan of a shared pot: offered, everybody ready, in force at once for all
shown        what somebody must know of a plan that waits
bets         a pass of a shared pot: what its table sends, and what becomes of it above
claims       claims asked where the cards lie, decided where the pot is
advances     part of a percentage that waits, handed out by two
corrections  a pass that is to be put right: asked where the table is
wanted       the same, heard by the owner of the pot, who settles it, or on the way to him
put_right    his answer, where the tables are
awaited      what waits for it meanwhile
prizes       complementary prizes, drawn at the table, taken from the pot above
days         where a month of two nodes ends: with the gaming day of who feeds the pot
shares       what a casino is given of a pot that it leaves
leaving      the owner of a pot who never comes back
lines        what of the two stands in the ledger
disputes     what was told and cannot be, until two persons decide
ended        what they decide, and what becomes of winners who were not believed
restored     a node that was put back: an owner takes back what it had decided, a member asks how far it was heard
"""
