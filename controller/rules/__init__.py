"""The law of the progressive as pure code: no clock, no port, no database, no logger, no randomness.

Read in this order; each file opens with its theory and cites the rules (R-1 ...) that it obeys:

    money         whole units and exact shares                                      R-1, R-22, R-23
    cards         cards and the category of five of them                            R-10
    ruleset       what a law says, as data                                          R-7, R-8, R-11
    readings      where it leaves room: what the authority read                     R-33
    plan          what an authority approved for one pot, and what it would refuse  R-3, R-24, R-26, R-28
    prizes        complementary prizes, as a law allows them and a plan gives them  R-29
    document      a TOML text, read strictly: one error with file, key and rule
    refusal       every "no", with its rule and the sentence a croupier reads       R-32
    approval      two different persons                                             R-26, R-34
    bets          what an acceptor may take, and what its lamp means                R-1 ... R-7
    belief        what a unit can have counted, and what it cannot                  R-37
    eligibility   who takes part                                                    R-6, R-8, R-9, R-29
    claims        which claims cannot be true                                       R-32, R-34
    possible      whether hands without cards can have been dealt                   R-32
    pot           a pot: filled up to its ceiling, drawn on, backed                 R-18, R-24
    accrual       from a bet to commission, reserves and pot                        R-22, R-23
    settlement    what every winner is paid, and from where                         R-11 ... R-20
    reversal      void hands, void passes, rejected claims                          R-21, R-25
    calendar      which texts are dates, and how far one is from an instant         R-27
    complementary  draws that anyone can re-compute afterwards                      R-29, R-30
    prize_cost    what complementary prizes cost whoever pays them                  R-22, R-29
    odds, pairs, liability   exact chances and worst cases of a plan                (figures, no rule)
"""
