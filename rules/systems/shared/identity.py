"""The identity of characters in the classic family: who somebody is, whom they belong to, and what they believe."""

from __future__ import annotations

from rules.engine.phrases import names, phrase
from rules.model.entries import Detail

VAMPIRES = frozenset({"vampire"})
GHOULS = frozenset({"ghoul"})
GAROU = frozenset({"garou"})

ARCHETYPES = names(
    "architect, autocrat, bon-vivant, bravo, caregiver, celebrant, competitor, conformist, conniver, curmudgeon, "
    "deviant, director, fanatic, gallant, judge, loner, martyr, masochist, monster, pedagogue, penitent, "
    "perfectionist, rebel, rogue, survivor, thrill-seeker, traditionalist, trickster, visionary"
)

CLANS = (
    *("Assamite", "Brujah", "Caitiff", "Followers of Set", "Gangrel", "Giovanni", "Lasombra", "Malkavian"),
    *("Nosferatu", "Ravnos", "Toreador", "Tremere", "Tzimisce", "Ventrue"),
)
SECTS = ("Anarchs", "Camarilla", "Sabbat")
PATHS = (
    *("Humanity", "Path of Blood", "Path of Bones", "Path of Caine", "Path of Cathari", "Path of Death and the Soul"),
    *("Path of Honorable Accord", "Path of Lilith", "Path of Metamorphosis", "Path of Night", "Path of Paradox"),
    *("Path of Power and the Inner Voice", "Path of Typhon"),
)

BREEDS = ("Homid", "Metis", "Lupus")
AUSPICES = ("Ragabash", "Theurge", "Philodox", "Galliard", "Ahroun")
TRIBES = (
    *("Black Furies", "Black Spiral Dancers", "Bone Gnawers", "Children of Gaia", "Fianna", "Get of Fenris"),
    *("Glass Walkers", "Red Talons", "Shadow Lords", "Silent Striders", "Silver Fangs", "Stargazers", "Uktena"),
    "Wendigo",
)

NATURE = (
    Detail("nature", phrase("nature"), known=ARCHETYPES),
    Detail("demeanour", phrase("demeanour"), known=ARCHETYPES),
)
OF_VAMPIRES = (
    Detail("clan", phrase("clan"), VAMPIRES, CLANS),
    Detail("sire", phrase("sire"), VAMPIRES),
    Detail("sect", phrase("sect"), VAMPIRES, SECTS),
    Detail("coterie", phrase("coterie"), VAMPIRES),
    Detail("path", phrase("path"), VAMPIRES, PATHS),
    Detail("domitor", phrase("domitor"), GHOULS),
)
OF_GAROU = (
    Detail("breed", phrase("breed"), GAROU, BREEDS),
    Detail("auspice", phrase("auspice"), GAROU, AUSPICES),
    Detail("tribe", phrase("tribe"), GAROU, TRIBES),
    Detail("pack", phrase("pack"), GAROU),
    Detail("totem", phrase("pack-totem"), GAROU),
    Detail("sept", phrase("sept"), GAROU),
)
IDENTITY = (*NATURE, *OF_VAMPIRES, *OF_GAROU)
"""As on the printed sheets; vampires and Garou of each other's games have theirs too."""
