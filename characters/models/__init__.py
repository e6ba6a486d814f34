"""Characters, what they carry, and the tables of weapons and armour."""

from characters.models.changes import Cause, SheetChange
from characters.models.characters import CarriedWeapon, Character, WornArmor
from characters.models.experience import DeclinedProposal, EntryKind, ExperienceEntry, Ledger, Step
from characters.models.gear import Armor, Gear, ShippedTable, Weapon
from characters.models.portraits import Portrait
from characters.models.templates import Template
from characters.models.ties import BoonSize, BoonState, Face, Meeting, Tie, TieKind, TieReadership

__all__ = [
    "Armor",
    "BoonSize",
    "BoonState",
    "CarriedWeapon",
    "Cause",
    "Character",
    "DeclinedProposal",
    "EntryKind",
    "ExperienceEntry",
    "Face",
    "Gear",
    "Ledger",
    "Meeting",
    "Portrait",
    "SheetChange",
    "ShippedTable",
    "Step",
    "Template",
    "Tie",
    "TieKind",
    "TieReadership",
    "Weapon",
    "WornArmor",
]
