"""The state of a node as a pure machine: decide, apply, project. It may import `rules` and nothing else of ours.

Read in this order; each file opens with its theory and cites the rules that it obeys:

    values, inputs, facts  the vocabulary: what can be asked, and what can stand on record
    state                  what the facts so far add up to
    machine                `answer` decides and never changes, `apply` changes and never decides
    lives                  what each request does in each phase of a pass, a claim, an award
    people, node           who may do what, and what two different persons must decide; founding and restore
    plans, day             what an authority approved takes effect between passes; the gaming day and its seed
    passes, seats, purse   a table's pass, its seats' units, the credits on them and what voids gave back
    lamps                  a seat's lamp, whether the seat plays, what persons do to devices beside the play
    claims, awards, draws  what is won, held, confirmed, paid; complementary prizes
    past                   a pass put right: what the record tells, and what follows for winners, pot and house
    money_moves, training  money moved by two persons; a table that plays in money of another book
    accounts, ledger       double entry: the accounts, and what each fact moves between them, from the fact alone
    links                  pots that nodes share: neighbours, letters, what was told and heard
    invariants             what must hold between state and ledger
    view, project          what lamps, locks, signs and screens should show, and how it follows from the state
    ahead                  what an act would do, seen before it is confirmed
"""
