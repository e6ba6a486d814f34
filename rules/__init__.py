"""The game: pure Python, without Django, clock or chance of its own.

State in, events out: :func:`rules.decide.decide` turns a state and a command into events,
:func:`rules.engine.messages.evolve` turns a state and an event into the next state. Dice come in through
the door (:class:`rules.engine.dice.Dice`), so that the same fight can be played with rolled, typed or
written faces. Importing any part of it declares every message
(:mod:`rules.engine.messages`). Start reading at ``model/system.py``.
"""

from rules import topics

topics.load()
