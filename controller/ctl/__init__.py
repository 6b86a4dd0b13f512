"""`pozo ctl`: the console without a browser, and one-shot commands for scripts. A client of the control socket.

Theory. It decides nothing and knows no devices: it asks the node and shows what the node shows. `orders` is the one
table of what can be said, for scripts and for the live console alike; `console` and `picture` are the live table,
`dialog` its talk, `hands` the notation of cards.
"""
