"""The identity of characters in the storytelling family."""

from __future__ import annotations

from rules.engine.phrases import names, phrase
from rules.model.entries import Detail

VAMPIRES = frozenset({"vampire"})
GHOULS = frozenset({"ghoul"})
WEREWOLVES = frozenset({"garou"})

VIRTUES = names("charity, faith, fortitude-virtue, hope, justice, prudence, temperance")
VICES = names("envy, gluttony, greed, lust, pride, sloth, wrath")

CLANS = ("Daeva", "Gangrel", "Mekhet", "Nosferatu", "Ventrue")
COVENANTS = (
    *("The Carthian Movement", "The Circle of the Crone", "The Invictus", "The Lancea et Sanctum", "The Ordo Dracul"),
    "Unaligned",
)

AUSPICES = ("Cahalith", "Elodoth", "Irraka", "Ithaeur", "Rahu")
TRIBES = ("Blood Talons", "Bone Shadows", "Hunters in Darkness", "Iron Masters", "Storm Lords", "Ghost Wolves")

VIRTUE = Detail("virtue", phrase("virtue"), known=VIRTUES)
VICE = Detail("vice", phrase("vice"), known=VICES)
FACTION = Detail("faction", phrase("faction"))

CLAN = Detail("clan", phrase("clan"), VAMPIRES, CLANS)
BLOODLINE = Detail("bloodline", phrase("bloodline"), VAMPIRES)
COVENANT = Detail("covenant", phrase("covenant"), VAMPIRES, COVENANTS)
SIRE = Detail("sire", phrase("sire"), VAMPIRES)
COTERIE = Detail("coterie", phrase("coterie"), VAMPIRES)
REGNANT = Detail("regnant", phrase("regnant"), GHOULS)

AUSPICE = Detail("auspice", phrase("auspice"), WEREWOLVES, AUSPICES)
TRIBE = Detail("tribe", phrase("tribe"), WEREWOLVES, TRIBES)
LODGE = Detail("lodge", phrase("lodge"), WEREWOLVES)
PACK = Detail("pack", phrase("pack"), WEREWOLVES)
TOTEM = Detail("totem", phrase("pack-totem"), WEREWOLVES)

OF_VAMPIRES = (CLAN, BLOODLINE, COVENANT, SIRE, COTERIE, REGNANT)
OF_WEREWOLVES = (AUSPICE, TRIBE, LODGE, PACK, TOTEM)
IDENTITY = (VIRTUE, VICE, FACTION, *OF_VAMPIRES, *OF_WEREWOLVES)
"""As on the printed sheets of the first edition."""

MASK = Detail("mask", phrase("mask-identity"), VAMPIRES)
DIRGE = Detail("dirge", phrase("dirge"), VAMPIRES)
BLOOD = Detail("blood", phrase("blood-identity"), WEREWOLVES)
BONE = Detail("bone", phrase("bone"), WEREWOLVES)
ASPIRATIONS = Detail("aspirations", phrase("aspirations"), lines=5)
TOUCHSTONES = Detail("touchstones", phrase("touchstones"), VAMPIRES | WEREWOLVES, lines=5)
SECOND_EDITION = (
    *(VIRTUE, VICE, MASK, DIRGE, BLOOD, BONE, FACTION, *OF_VAMPIRES, *OF_WEREWOLVES),
    *(ASPIRATIONS, TOUCHSTONES),
)
"""As on the printed sheets of the second edition."""
