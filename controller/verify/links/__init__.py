"""Pots that nodes share, computed a second time: neighbours, letters, and what travels between records (R-9, R-28).

Theory. What a neighbour told stands in a record as facts of this node, and what this node told as letters, word for
word. One record proves that every letter is what its facts ask for, and that what was heard is within the law; whether
both sides say the same is asked of several records at once (`links/across.py`).
"""
