"""The classic family in Foundry: the system `worldofdarkness` (World of Darkness 20th Edition).

Its keys were read in that system's sources, versions 2 to 7 (docs/interchange.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.model.foundry import (
    Counterpart,
    DetailPlace,
    GearItems,
    Harm,
    ItemShape,
    ListItems,
    ResourcePlace,
    TraitItems,
    TraitPlace,
)
from rules.model.sheet import Category, Layout, Section

KINDS = (
    ("Mortal", "mortal"),
    ("Mortal", "ghoul"),
    ("Ghoul", "ghoul"),
    ("Vampire", "vampire"),
    ("Werewolf", "garou"),
    ("Garou", "garou"),
)

ABILITIES = frozenset(
    {
        *("alertness", "athletics", "awareness", "brawl", "dodge", "empathy", "expression", "intimidation"),
        *("leadership", "primal_urge", "streetwise", "subterfuge", "animal_ken", "archery", "crafts", "drive"),
        *("etiquette", "firearms", "larceny", "melee", "performance", "security", "stealth", "survival", "academics"),
        *("computer", "enigmas", "finance", "investigation", "law", "linguistics", "medicine", "occult", "politics"),
        *("rituals", "science", "technology"),
    }
)
"""The Abilities that every actor has; others are secondary Abilities, items there."""

NAMES = {"crafts": "craft"}
GROUPS = ("talent", "skill", "knowledge")

PATHS_OF_VAMPIRES = {
    "Humanity": "humanity",
    "Path of Blood": "blood",
    "Path of Bones": "bones",
    "Path of Caine": "caine",
    "Path of Cathari": "cathari",
    "Path of Honorable Accord": "accord",
    "Path of Lilith": "lilith",
    "Path of Metamorphosis": "metamorphosis",
    "Path of Night": "night",
    "Path of Paradox": "paradox",
    "Path of Power and the Inner Voice": "innervoice",
    "Path of Typhon": "typhon",
}


def _name(key: str) -> str:
    return NAMES.get(key) or key.replace("_", "")


def _attributes(section: Section) -> Iterable[TraitPlace]:
    for group, sort in zip(section.groups, ("physical", "social", "mental"), strict=True):
        for trait in group.traits:
            at = f"attributes.{trait.key}"
            beside = {"bonus": 0, "max": 5, "type": sort, "label": f"wod.attributes.{trait.key}", "isvisible": True}
            yield TraitPlace(trait.key, (f"{at}.value",), f"{at}.speciality", beside=_under(at, beside))


def _abilities(section: Section) -> Iterable[TraitPlace]:
    for group, sort in zip(section.groups, GROUPS, strict=True):
        for trait in group.traits:
            if trait.key in ABILITIES:
                name = _name(trait.key)
                at = f"abilities.{name}"
                beside = {"max": 5, "type": sort, "label": f"wod.abilities.{name}", "isvisible": True}
                paths = (f"{at}.value", f"abilities.{sort}.{name}.value", f"abilities.{trait.key}.value")
                yield TraitPlace(trait.key, paths, f"{at}.speciality", beside=_under(at, beside))


def _under(path: str, values: dict[str, Any]) -> dict[str, Any]:
    return {f"{path}.{key}": value for key, value in values.items()}


def _advantages(keys: Iterable[str], layout: Layout) -> Iterable[TraitPlace]:
    there = {trait.key: trait for trait in layout.traits()}
    for key in keys:
        if key not in there:
            continue
        name = _name(key)
        if there[key].category is Category.VIRTUE:
            paths = tuple(f"{at}.{name}.permanent" for at in ("advantages.virtues", "virtues", "advantages"))
        else:
            paths = (f"advantages.{name}.permanent", f"{name}.permanent")
        yield TraitPlace(key, paths)


def world_of_darkness(layout: Layout) -> Counterpart:
    """The counterpart of a ruleset with this sheet."""
    sections = {section.key: section for section in layout.sections}
    resources = {resource.key for resource in layout.resources}
    traits = (
        *_attributes(sections["attributes"]),
        *_abilities(sections["abilities"]),
        *_advantages(("conscience", "self_control", "courage", "willpower", "rage", "gnosis"), layout),
        *(
            TraitPlace(key, (f"renown.{key}.permanent", f"advantages.{key}.permanent"))
            for key in ("glory", "honor", "wisdom")
        ),
        TraitPlace("rank", ("renown.rank", "advantages.rank.permanent")),
        TraitPlace("generation", ("generation",)),
        *(
            (TraitPlace("humanity", ("advantages.path.permanent", "path.permanent", "path.value")),)
            if any(trait.key == "humanity" for trait in layout.traits())
            else ()
        ),
    )
    points = {"willpower": "willpower", "blood": "bloodpool", "rage": "rage", "gnosis": "gnosis"}
    return Counterpart(
        id="worldofdarkness",
        name="World of Darkness 20th Edition",
        kinds=KINDS,
        traits=traits,
        resources=tuple(
            ResourcePlace(
                key, (f"advantages.{name}.temporary", f"{name}.temporary"), f"advantages.{name}.max" * (key == "blood")
            )
            for key, name in points.items()
            if key in resources
        ),
        details=(
            DetailPlace("nature", ("nature",)),
            DetailPlace("demeanour", ("demeanor", "demeanour")),
            DetailPlace("clan", ("clan",)),
            DetailPlace("sire", ("sire",)),
            DetailPlace("sect", ("sect",)),
            DetailPlace("coterie", ("coterie",)),
            DetailPlace(
                "path",
                ("advantages.path.label", "path.label"),
                {text: f"wod.advantages.path.{name}" for text, name in PATHS_OF_VAMPIRES.items()},
            ),
            DetailPlace("breed", ("breed",)),
            DetailPlace("auspice", ("auspice",)),
            DetailPlace("tribe", ("tribe",)),
            DetailPlace("pack", ("packname", "pack")),
            DetailPlace("totem", ("packtotem", "totem")),
        ),
        harm=Harm("health.damage.bashing", "health.damage.lethal", "health.damage.aggravated"),
        trait_items=(
            TraitItems(
                "abilities",
                "Trait",
                tuple(f"wod.types.{sort}secondability" for sort in GROUPS),
                branch="abilities",
                special="speciality",
                beside={"isvisible": True, "max": 5},
            ),
            TraitItems(
                "disciplines",
                "Power",
                ("wod.types.discipline",),
                listing="disciplines",
                beside={"game": "vampire", "max": 5},
            ),
        ),
        list_items=(
            ListItems("blood_paths", "Power", "wod.types.disciplinepath", "value", beside={"game": "vampire"}),
            ListItems("rituals", "Power", "wod.types.ritual", beside={"game": "vampire"}),
            ListItems("gifts", "Power", "wod.types.gift", beside={"game": "werewolf"}),
            ListItems("rites", "Power", "wod.types.rite", beside={"game": "werewolf"}),
            ListItems("fetishes", "Fetish", "wod.types.fetish"),
            ListItems("backgrounds", "Feature", "wod.types.background", as_text=True),
            ListItems("merits", "Feature", "wod.types.merit", as_text=True),
            ListItems("flaws", "Feature", "wod.types.flaw", as_text=True),
        ),
        gear=_gear(),
        shapes=(
            ItemShape(
                "PC",
                ("settings.splat", "settings.game", "settings.variant"),
                {"Ability": "abilities", "Advantage": "advantages"},
                ("bio", "bio.splatfields"),
            ),
        ),
        quiet=QUIET,
        always=_HEALTH,
    )


_WEAPON = {
    "damage": ("damage.bonus",),
    "damage_from": ("damage.attribute",),
    "type": ("damage.type",),
    "difficulty": ("difficulty", "diff"),
    "attribute": ("attack.attribute",),
    "ability": ("attack.ability",),
    "conceal": ("conceal",),
}


def _gear() -> tuple[GearItems, ...]:
    ranged = {
        **_WEAPON,
        "range": ("range",),
        "rate": ("rate",),
        "clip": ("clip.max",),
        "automatic": ("mode.hasfullauto", "mode.fullauto"),
    }
    return (
        GearItems("Melee Weapon", "melee", columns=_WEAPON, natural="isnatural"),
        GearItems(
            "Ranged Weapon",
            "firearm",
            columns=ranged,
            mode_at="attack.ability",
            modes={"archery": "archery", "athletics": "thrown"},
            rounds=("clip.value",),
        ),
        GearItems(
            "Armor",
            armor=True,
            columns={"rating": ("soak.lethal", "soak.bashing"), "penalty": ("dexpenalty",)},
        ),
    )


LEVELS = (
    *(("bruised", 0), ("hurt", -1), ("injured", -1), ("wounded", -2), ("mauled", -2), ("crippled", -5)),
    ("incapacitated", -99),
)
_HEALTH: dict[str, Any] = {
    "settings.iscreated": True,
    **{f"health.{name}.value": 1 for name, _penalty in LEVELS},
    **{f"health.{name}.total": 1 for name, _penalty in LEVELS},
    **{f"health.{name}.penalty": penalty for name, penalty in LEVELS},
    **{f"health.{name}.label": f"wod.health.{name}" for name, _penalty in LEVELS},
}
"""What Foundry draws the boxes from."""

QUIET = frozenset(
    {
        *("settings", "soak", "initiative", "movement", "listdata", "traits.health", "favoriterolls", "shapes"),
        *(f"health.{name}" for name, _penalty in LEVELS),
        *("health.damage.woundlevel", "health.damage.woundpenalty", "health.totalhealthlevels", "attributes.composure"),
        *("attributes.resolve", "path.label", "worldanvil", "name", "bio.name"),
        *("advantages.path.value", "path.value"),
        *("*.label", "*.altlabel", "*.max", "*.roll", "*.total", "*.isvisible", "*.visible", "*.isfavorited", "*.sort"),
        *(
            "*.type",
            "*.iscreated",
            "*.version",
            "*.parentid",
            "*.isequipped",
            "*.image",
            "*.settings",
            "*.game",
            "*.id",
        ),
        *("*.isrollable", "*.perturn", "*.listdata", "*.ownership", "*.secondaryabilityid", "*.isactive", "*.active"),
        *("*.hashomid", "*.homid"),
    }
)
