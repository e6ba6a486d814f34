"""Characters, what they carry, and the tables of weapons and armour."""

from characters.models.characters import CarriedWeapon, Character, WornArmor
from characters.models.gear import Armor, Gear, ShippedTable, Weapon
from characters.models.portraits import Portrait

__all__ = ["Armor", "CarriedWeapon", "Character", "Gear", "Portrait", "ShippedTable", "Weapon", "WornArmor"]
