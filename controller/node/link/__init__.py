"""The links to other nodes: what a neighbour tells becomes items of the inbox, what it should know follows from facts.

messages       what two nodes say to each other, and how much of it at most
judgement      whether the marks that both sides have of a stream can both be
streams        one stream that is told, one that is heard
conversation   one neighbour's side of the protocol: sans-I/O, as drivers are
happened       what happens in it beside what the engine hears
given_back     a log that its writer lost with a restore, handed back by who has heard it
outgoing       where letters to tell come from: just committed, or read from the record
recorded       what the record says of each neighbour: keys, and where its streams stand
held           which letters of a box wait for its mirror, and for how long
meters         what is in our pots: which of it goes out when
redial         when a neighbour above is dialled again
greeting       whom a node does not speak with
handshake      the first words of a connection, looked at before libzmq sees any
pipe           one connection, and its other end at libzmq: how many octets at most
gate           who may come in from the network, and whom we dial
sockets        libzmq behind the gate: ROUTER, DEALER, ZAP, and the keys that are pinned
shell          one thread that owns all of it
links          what the engine sees
mirror_words   what a box and its casino's node say about the mirror
mirroring      a box's mirror at its casino's node: what is believed
looking        a box's record is looked at again: which stretch, and since when nobody answers
mirror_feed    what the box gives of its record
mirrors        the thread beside both, with the files
mirror_return  what a casino's node gives a box that burned: its mirror, piece by piece
"""
