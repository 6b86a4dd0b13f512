"""Passes put right, of this minute or of last year: what an act doubts, what is told, what follows (R-34, R-35).

doubt       which pass an act doubts, and what it says was true of it instead
acts        who puts a pass right, on what evidence, and what refuses it before a pot is told again
claims      the claims of a pot's past, as their facts left them
telling     a pot told again from an earlier instant
search      what is read of a record: kinds of facts, from where, which way
inquiry     what is needed from the record, asked for without reading anything
correction  what follows: who is owed what, what is cancelled, what the house lost, where the pot belongs
lines       what it moves in the ledger
corrected   what that makes of the state
voids       a void of what had won
hands       what a croupier entered, as the rules look at it
"""
