"""The game: pure Python, without Django, a clock or randomness of its own.

State in, events out: :func:`rules.decide.decide` turns a state and a command into events,
:func:`rules.engine.messages.evolve` applies an event to a state. Dice are injected (:class:`rules.engine.dice.Dice`),
so that the same fight can be played with rolled, typed or scripted faces. Importing any part of the package registers
every message (:mod:`rules.engine.messages`). Start reading at ``model/system.py``.
"""

from rules import topics

topics.load()
