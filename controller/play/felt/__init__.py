"""The felt to play at: what a player does and sees at a table of the demonstration, in a browser. No installed node
has it.

Start with door.py, which says what the demo is asked; web.py is the process that asks it.
"""
