"""The state of a node as a pure machine: decide, apply, project. It may import `rules` and nothing else of ours.

Read in this order; each file opens with its theory and cites the rules that it obeys:

    values, inputs, facts  the vocabulary: what can be asked, and what can stand on record
    state                  what the facts so far add up to
    machine                answer decides and never changes, apply changes and never decides
    people                 who may do what, and what two different persons must decide
    plans, desk            approved plans, gaming days, money by two persons, training, restore
    lives                  the lives of a pass, a claim and an award, each as one table
    passes, seats, purse   a table's pass, its seats' units and lamps, the credits on them
    claims, awards, draws  what is won, held, confirmed, paid; complementary prizes
    maintenance            what persons do to devices beside the play
    accounts, postings     double entry: what each fact moves, from the fact alone
    invariants             what must hold between state and ledger
    view, project          what lamps, locks, signs and screens should show, and how it follows from the state
"""
