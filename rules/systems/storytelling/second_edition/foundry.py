"""Chronicles of Darkness in Foundry: the system `mta` (Chronicles of Darkness 2nd Edition).

Its keys were read in that system's sources (docs/interchange.md).
"""

from __future__ import annotations

from rules.model.foundry import (
    Counterpart,
    DetailPlace,
    GearItems,
    Harm,
    ListBranch,
    ListItems,
    ResourcePlace,
    TraitPlace,
)
from rules.model.sheet import Layout

KINDS = (("Mortal", "mortal"), ("Ghoul", "ghoul"), ("Vampire", "vampire"), ("Werewolf", "garou"))
GROUPS = ("mental", "physical", "social")
COMMON = frozenset({"animalism", "celerity", "obfuscate", "resilience", "vigor"})


def _camel(key: str) -> str:
    first, *others = key.split("_")
    return first + "".join(map(str.capitalize, others))


def counterpart(layout: Layout) -> Counterpart:
    """The counterpart of a ruleset with this sheet."""
    sections = {section.key: section for section in layout.sections}
    attributes, skills = (
        tuple(
            TraitPlace(
                trait.key,
                (f"{name}_{group}.{_camel(trait.key)}.value",),
                f"{name}_{group}.{_camel(trait.key)}.specialties" * (name == "skills"),
            )
            for part, group in zip(sections[name].groups, GROUPS, strict=True)
            for trait in part.traits
        )
        for name in ("attributes", "skills")
    )
    disciplines = tuple(
        TraitPlace(
            trait.key,
            tuple(f"disciplines_{sort}.{trait.key}.value" for sort in _sorts(trait.key)),
        )
        for part in sections["disciplines"].groups
        for trait in part.traits
    )
    return Counterpart(
        id="mta",
        name="Chronicles of Darkness 2nd Edition",
        kinds=KINDS,
        actor_type="character",
        kind_at="characterType",
        traits=(
            *attributes,
            *skills,
            *disciplines,
            TraitPlace("integrity", _or_value("vampire_traits.humanity"), kinds=frozenset({"vampire"})),
            TraitPlace("integrity", _or_value("werewolf_traits.harmony"), kinds=frozenset({"garou"})),
            TraitPlace("integrity", ("integrity", "integrity.value"), kinds=frozenset({"mortal", "ghoul"})),
            TraitPlace("size", ("derivedTraits.size.value",), mod="derivedTraits.size.mod", base=5),
            TraitPlace("blood_potency", _or_value("vampire_traits.bloodPotency")),
            TraitPlace("primal_urge", _or_value("werewolf_traits.primalUrge")),
            *(
                TraitPlace(key, (f"werewolf_renown.{key}.value",))
                for key in ("cunning", "glory", "honor", "purity", "wisdom")
            ),
        ),
        resources=(
            ResourcePlace("willpower", ("willpower.value",), "willpower.max"),
            ResourcePlace("vitae", ("vitae.value",), "vitae.max"),
        ),
        details=tuple(
            DetailPlace(key, (key, f"{key}.value", f"identity.{key}"))
            for key in (
                *("virtue", "vice", "mask", "dirge", "blood", "bone", "faction", "clan", "bloodline", "covenant"),
                *("sire", "coterie", "regnant", "auspice", "tribe", "lodge", "pack", "totem", "aspirations"),
                "touchstones",
            )
        ),
        harm=Harm("health.value", "health.lethal", "health.aggravated", "health.max", inverted=True),
        notes="description",
        listed_specialties=True,
        list_items=(
            ListItems("merits", "merit", dots="rating"),
            ListItems("devotions", "devotion", dots="rating"),
            ListItems("rituals", "rite"),
            ListItems("gifts", "facet"),
            ListItems("rites", "werewolf_rite"),
        ),
        list_branches=(
            ListBranch("disciplines", "disciplines_own", written=True),
            ListBranch("disciplines", "disciplines_common"),
            ListBranch("disciplines", "disciplines_unique"),
        ),
        gear=(
            GearItems(
                "melee",
                "melee",
                columns=_WEAPON,
                mode_at="weaponType",
                modes={"Unarmed": "unarmed", "Thrown": "thrown"},
            ),
            GearItems(
                "firearm",
                "firearm",
                columns={
                    **_WEAPON,
                    "range": ("range", "ranges"),
                    "clip": ("capacity",),
                    "armor_piercing": ("penetration",),
                },
            ),
            GearItems(
                "armor",
                armor=True,
                columns={
                    "rating": ("rating",),
                    "ballistic": ("ballistic",),
                    "strength": ("strength",),
                    "defense": ("defenseMod", "defense"),
                    "speed": ("speedMod", "speed"),
                    "covers": ("coverage",),
                },
            ),
        ),
        quiet=QUIET,
    )


def _or_value(path: str) -> tuple[str, str]:
    """Newer versions keep an object with a `value` where older ones keep the number."""
    return f"{path}.value", path


def _sorts(discipline: str) -> tuple[str, str]:
    return ("common", "unique") if discipline in COMMON else ("unique", "common")


_WEAPON = {
    "damage": ("damage",),
    "type": ("damageType",),
    "initiative": ("initiativeMod", "initiative"),
    "size": ("size",),
    "strength": ("strength",),
    "defense": ("defenseMod",),
}

QUIET = frozenset(
    {
        *("derivedTraits", "generalModifiers", "isDreaming", "progress", "visible", "specialEffects", "clarity"),
        *("attributes_physical_dream", "attributes_social_dream", "attributes_mental_dream", "mage_traits"),
        *("*.label", "*.max", "*.final", "*.raw", "*.isModified", "*.mod", "*.isRote", "*.isAssetSkill", "*.equipped"),
        *("*.effectsActive", "*.isFavourite", "*.sort", "*.img", "*.dicePool", "*.characterType", "*.weaponType"),
    }
)
