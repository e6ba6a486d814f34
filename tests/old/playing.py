"""The play: one long fight with everything in it, an ended, a paused and a drafted one, and rolls outside fights."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from time import time
from typing import Any

from campaigns.models import User
from characters import services as characters
from characters.models import Weapon
from characters.services import Carried, SheetData
from combat.commands import deadlines, drafts, perform
from combat.commands.outside import open_log
from combat.desk import storage
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.roll import Extended, Resistance, RollTraits
from rules.model.sheet import Category
from rules.model.state import Exchange
from rules.topics import commands
from rules.topics.commands import Declare, OverrideAttack, ProposeAttack, TakeAction
from rules.topics.events import AttackResolved
from rules.topics.grapples.grapple import GRAPPLES
from tests.old.table import GANG, HIDDEN, LATE, MASKED, PLAYED, Loaded, Table

ANN, BOB, CLARA = PLAYED
ROWS = {"masquerade": 75, "apocalypse": 75, "darkness": 60, "chronicles": 105, "wounds": 75}
"""Rows of the long fight that the search adds."""

MOVES = (
    "hold",
    "restrain",
    "take_cover",
    "drop_prone",
    "control_weapon",
    "grapple_damage",
    "grapple_disarm",
    "throw",
    "break_free",
)

SOME_DICE = (Modifier("circumstance", {"dice": 1}), Modifier("difficulty", {"by": 1}))

_exchanges = count(1)


def play(table: Table) -> None:
    """All of it."""
    outside(table)
    over(table)
    waiting(table)
    draft(table)
    long_fight(table)


def desk_of(people: dict[str, User], table: Table) -> None:
    """The Storyteller's keys and notes."""
    keys = storage.keys_of(people["story"])
    mine = dict(keys.of)
    first, second, *_ = [action for action, key in mine.items() if key]
    mine[first], mine[second] = mine[second], mine[first]
    storage.keep_keys(user=people["story"], keys=replace(keys, of=mine))
    storage.keep_notes(by=table.by, encounter=table.encounter, text="Adele has the key.", version=0)


# ------------------------------------------------------------------ short ones


def begun(table: Table, name: str, who: tuple[str, ...]) -> None:
    """A fight of these, which has begun."""
    drawn_up(table, name, who)
    table.must(commands.Begin())


def drawn_up(table: Table, name: str, who: tuple[str, ...]) -> None:
    encounter = drafts.create_encounter(by=table.by, name=name, scene="Fog, and a *tram* that never comes.")
    table.encounter_id = encounter.pk
    for each in who:
        drafts.add_character(
            encounter_id=encounter.pk,
            actor=table.people["story"],
            character=table.character(each),
            hidden=each == HIDDEN,
            mask="a tall man" if each == MASKED else "",
            health_shown="nothing" if each == MASKED else "",
        )


def outside(table: Table) -> None:
    """Rolls outside fights: simple, secret, resisted, extended, given up, undone."""
    table.encounter_id = open_log(table.chronicle).pk
    ann, clara, masked = (table.character(name).pk for name in (ANN, CLARA, MASKED))
    pool = trait_pool(table)
    table.must(RollTraits(ann, pool, label="Listening at the door"), table.people["ann"])
    resolution = f"r{table.state.resolutions}"
    table.must(commands.Narrate(resolution, "Somebody breathes in there."))
    table.must(RollTraits(masked, pool, secret=True, label="Shadowing them"))
    table.must(RollTraits(clara, pool, resisted=Resistance(masked, pool)))
    table.must(RollTraits(clara, pool, extended=Extended("a safe", 12, 5, "ten minutes")), table.people["bob"])
    table.must(commands.RollOn("a safe"), table.people["bob"])
    table.must(RollTraits(ann, pool, extended=Extended("a book", 14, 0, "a night")), table.people["ann"])
    table.must(commands.GiveUpRoll("a safe"), table.people["bob"])
    turned(table, perform.undo)
    turned(table, perform.redo)
    table.must(RollTraits(ann, pool), table.people["ann"])
    turned(table, perform.undo)


def over(table: Table) -> None:
    """A fight that has ended, with narration."""
    begun(table, "Behind the theatre", (BOB, MASKED, GANG))
    strike(table, GANG, MASKED)
    table.must(RollTraits(table[BOB], trait_pool(table)), table.people["bob"], hold=True)
    table.must(commands.Harm(table[MASKED], 2, Damage.LETHAL, why="He fell off the fly tower."))
    table.must(commands.End())
    table.do(commands.Narrate(f"r{table.state.resolutions}", "It was over before the curtain."))


def waiting(table: Table) -> None:
    """A paused fight."""
    begun(table, "The towpath", (CLARA, GANG))
    table.must(commands.RollInitiative())
    table.must(commands.Harm(table[CLARA], 1, Damage.BASHING))
    table.must(commands.Pause())
    table.must(commands.Resume())
    table.must(commands.Pause())


def draft(table: Table) -> None:
    """A draft."""
    drawn_up(table, "What waits in the crypt", (HIDDEN, LATE))


# ------------------------------------------------------------------ the long one


def long_fight(table: Table) -> None:
    """The long fight."""
    drawn_up(table, "The grain exchange", (ANN, BOB, CLARA, MASKED, HIDDEN))
    common: dict[str, Any] = {"encounter_id": table.encounter_id, "actor": table.people["story"]}
    drafts.add_copies(**common, character=table.character(GANG), count=3, together=True)
    table.must(commands.Begin())
    desk_of(table.people, table)
    conversations(table)
    table.do(commands.RollInitiative())
    declarations(table)
    searched(table)
    comings(table)
    refreshed(table)
    brawl(table)
    refreshed(table)
    firefight(table)
    refreshed(table)
    rarities(table)
    searched(table)
    edits(table)
    refreshed(table)
    back_and_forth(table)
    searched(table)
    put_right(table)
    refreshed(table)
    as_it_stands(table)


def searched(table: Table) -> None:
    """Add a third of the searched rows."""
    upto = table.encounter.seq + ROWS[table.chronicle.ruleset] // 3
    while table.encounter.seq < upto:
        table.something_new() or refreshed(table)


def refreshed(table: Table) -> None:
    """Heal everybody and begin a new turn, so that more is possible again."""
    table.do(commands.EndTurn())
    for who, each in table.state.combatants.items():
        if each.conditions or each.sheet.marks or each.sheet.injuries:
            table.do(commands.SetHealth(who))
        if found := table.state.combatants[who].conditions:
            table.must(commands.ChangeConditions(who, remove=found))
    table.do(commands.RollInitiative())


def conversations(table: Table) -> None:
    """Announced attacks: sent back, withdrawn, changed, approved, answered (by default, by the clock), typed in."""
    ann, bob = table.people["ann"], table.people["bob"]
    adele, bruno, clara, masked = (table[name] for name in (ANN, BOB, CLARA, MASKED))
    one = announced(table, adele, masked, ann)
    table.must(commands.SendBackAttack(one, "He is too far away."))
    table.must(commands.WithdrawAttack(one), ann)
    one = announced(table, adele, bruno, ann)
    table.must(commands.ChangeAttack(one, Attack(adele, (bruno,), distance=None)))
    if open_exchange(table, one):
        table.must(commands.AnswerAttack(one, bruno, Defence()), bob, hold=True)
    perform.let_go(encounter_id=table.encounter_id, actor=ann, token=newest(table))
    one = announced(table, adele, masked, ann)
    table.must(commands.ApproveAttack(one))
    if open_exchange(table, one):
        table.must(commands.AnswerByDefault(one, masked))
    for kind in ("none", *table.ruleset.attack.defences.kinds):
        if table.do(commands.SetDefaultDefence((table[f"{GANG} 1"], table[f"{GANG} 2"]), kind)):
            break
    one = announced(table, masked, clara, table.people["story"])
    if open_exchange(table, one):
        clock(table, f"{one} {clara}", runs=False)
        clock(table, f"{one} {clara}", runs=True)
        assert deadlines.answer_overdue(encounter_id=table.encounter_id, now=time() + 100) == 1
    by_hand = ProposeAttack(exchange_id(), Attack(bruno, (masked,)), by_hand=True)
    table.must(by_hand)
    if open_exchange(table, by_hand.exchange):
        table.do(commands.AnswerAttack(by_hand.exchange, masked, Defence()))
    if open_exchange(table, by_hand.exchange):
        table.typed(commands.ResolveAttack(by_hand.exchange), table.people["story"], bruno)
    table.typed(RollTraits(clara, trait_pool(table)), bob, clara)


def announced(table: Table, by: str, at: str, actor: User) -> str:
    """Announce an attack; returns its id."""
    made = ProposeAttack(exchange_id(), Attack(by, (at,)))
    table.must(made, actor)
    return made.exchange


def exchange_id() -> str:
    return f"exchange{next(_exchanges)}"


def open_exchange(table: Table, exchange: str) -> Exchange | None:
    return next((each for each in table.state.exchanges if each.id == exchange), None)


def clock(table: Table, question: str, *, runs: bool) -> None:
    actor = table.people["story"]
    deadlines.set_clock(encounter_id=table.encounter_id, actor=actor, question=question, runs=runs)


def newest(table: Table) -> str:
    return table.encounter.rows.latest("seq").token


def declarations(table: Table) -> None:
    """Declarations, by players if it is their turn to declare, else by the Storyteller."""
    for name, words in ((ANN, "I go for the lamp."), (BOB, "Nobody leaves."), (CLARA, "")):
        table.do(Declare(table[name], words, ("melee",)), table.people[PLAYED[name]]) or table.do(
            Declare(table[name], words, ("melee",), out_of_order=True)
        )
    table.do(Declare(table[MASKED], "He reaches under his coat.", out_of_order=True))
    table.do(commands.Act())


def brawl(table: Table) -> None:
    """A grapple with each of its moves, and a helping hand."""
    one, other, friend = table[MASKED], table[f"{GANG} 1"], table[f"{GANG} 2"]
    for key in MOVES if "grapple" in table.ruleset.actions else ():
        if key == "hold" or not any(one in each.members for each in GRAPPLES.of(table.state)):
            table.whatever(TakeAction("aid_grapple", friend, (other,)), dice=Loaded(friend))
            table.whatever(TakeAction("grapple", one, (other,)), dice=Loaded(one))
        figures = {"theirs": True} if key == "control_weapon" else {}
        table.whatever(TakeAction(key, one, figures=figures), dice=Loaded(one))
        table.do(commands.EndTurn())
        table.do(commands.RollInitiative())


def firefight(table: Table) -> None:
    """Cover, a human shield, covering fire and evasion, if the ruleset has them."""
    gunman, target, shield = table[MASKED], table[f"{GANG} 1"], table[CLARA]
    guns = [weapon.name for weapon in table.state.combatants[gunman].sheet.weapons if weapon.automatic]
    shot = Attack(gunman, (target,), guns[-1] if guns else "", distance=5)
    bar = {"durability": 1, "structure": 9}
    for key, by, at, figures in (
        ("evade", target, (), {}),
        ("cover", target, (), {"cover": "The bar", **bar}),
        ("seek_cover", target, (), {"cover": "The bar", "degree": "full", "distance": 1}),
        ("aim", gunman, (target,), {}),
    ):
        if key in table.ruleset.actions:
            table.whatever(TakeAction(key, by, at, figures=figures), dice=Loaded(by))
    table.whatever(shot, dice=Loaded(gunman))
    if "covering_fire" in table.ruleset.actions:
        table.whatever(TakeAction("leave_cover", target))
        table.whatever(TakeAction("human_shield", target, (shield,)))
        table.whatever(shot, dice=Loaded(gunman))
        table.whatever(TakeAction("release_shield", target))
        glass = Modifier("cover", {"cover": "A window", "transparent": True, **bar})
        for picked in (glass, Modifier("concealment", {"degree": "partial"})):
            table.whatever(replace(shot, modifiers=(picked,)), dice=Loaded(gunman))
        table.whatever(TakeAction("covering_fire", gunman, (target, shield), weapon=shot.weapon), dice=Loaded(gunman))
        table.whatever(TakeAction("act_under_fire", target), dice=Loaded(gunman))
        table.whatever(TakeAction("seek_cover", shield, figures={"cover": "The bar", "degree": "full"}))


def rarities(table: Table) -> None:
    """What a search seldom meets: risen from the ground, called shots, shots at the dead, blows held back."""
    one, other, gunman = table[BOB], table[f"{GANG} 1"], table[MASKED]
    if "rise" in table.ruleset.actions:
        table.do(commands.ChangeConditions(one, add=frozenset({"prone"})))
        table.whatever(TakeAction("rise", one))
    people = table.state.combatants
    guns = [weapon.name for weapon in people[gunman].sheet.weapons if weapon.automatic]
    undead = [who for who, each in people.items() if table.ruleset.kinds[each.sheet.kind].undead and who != gunman]
    for target in undead[:1] if guns else ():
        table.whatever(Attack(gunman, (target,), guns[-1], distance=5), dice=Loaded(gunman))
        shot = Attack(gunman, (target,), guns[-1], distance=5, strike=frozenset({"bonus", "dead"}))
        table.whatever(shot, dice=Loaded(gunman))
    for key in ("pull_blow", "target_arm", "target_eye", "target_leg"):
        if key in table.ruleset.modifiers:
            table.do(commands.SetHealth(other))
            table.whatever(Attack(one, (other,), modifiers=(Modifier(key),)), dice=Loaded(one))
    for key, at, figures in (("aim", (other,), {}), ("move", (), {"distance": 3})):
        if key in table.ruleset.actions:
            table.whatever(TakeAction(key, gunman, at, figures=figures))
    roll = RollTraits(one, trait_pool(table), resisted=Resistance(other, trait_pool(table), None, (SOME_DICE[0],)))
    table.do(roll) or table.do(replace(roll, resisted=Resistance(other, trait_pool(table), None, (SOME_DICE[1],))))


def comings(table: Table) -> None:
    """Joining, leaving, groups, visibility, narration, circumstances, shown dice."""
    common: dict[str, Any] = {"encounter_id": table.encounter_id, "actor": table.people["story"]}
    drafts.add_character(**common, character=table.character(LATE))
    gang = [table[f"{GANG} {number}"] for number in (1, 2, 3)]
    table.do(commands.Ungroup(gang[0]))
    table.do(commands.Group(tuple(gang[:2])))
    table.do(commands.SetVisibility(table[LATE], mask="a preacher", health_shown="boxes", dice_shown=True))
    table.do(commands.SetVisibility(table[HIDDEN], hidden=False))
    table.do(commands.SetVisibility(table[HIDDEN], hidden=True))
    table.do(commands.Leave(gang[2]))
    table.do(commands.Describe((table[ANN], table[BOB]), "The floor hums."))
    table.do(commands.SetCircumstances("", (Modifier("circumstance", {"dice": -1, "why": "smoke"}),)))
    table.do(commands.Narrate(f"r{table.state.resolutions}", "It could have gone worse."))
    rolled = next(row.token for row in table.encounter.rows.order_by("-seq") if "faces" in str(row.events))
    table.do(commands.ShowRoll(rolled))
    table.do(commands.ShowRoll(rolled, shown=False))


def edits(table: Table) -> None:
    """Edits beside the fight: a sheet, a weapon of the chronicle, the fight’s name."""
    adele = table.character(ANN)
    written = SheetData(
        name=adele.name,
        kind=adele.kind,
        concept="Changed for good",
        traits={key: dots + (dots == 2) for key, dots in adele.traits.items()},
        resources=adele.resources,
        merits=adele.merits,
        marks=adele.marks,
        injuries=adele.injuries,
        weapons=[Carried(each.weapon_id, each.name, each.rounds, each.fault, each.pk) for each in adele.weapons.all()],
        armor=[Carried(each.armor_id, each.name, row=each.pk) for each in adele.armor.all()],
    )
    characters.update_sheet(by=table.by, character=adele, sheet=written, version=adele.version)
    blade = Weapon.objects.get(chronicle=table.chronicle)
    blade.damage = (blade.damage or 0) + 1
    characters.save_gear(row=blade)
    drafts.describe(by=table.by, encounter=table.encounter, name="The grain exchange, by night")


def back_and_forth(table: Table) -> None:
    """Undo, redo, undo of several rows, and rows undone for good."""
    table.must(commands.Harm(table[MASKED], 1, Damage.BASHING, why="Glass."))
    token = newest(table)
    for who in (ANN, BOB):
        table.must(RollTraits(table[who], trait_pool(table)))
    perform.undo_to(encounter_id=table.encounter_id, actor=table.people["story"], token=token)
    turned(table, perform.redo)
    turned(table, perform.redo)
    turned(table, perform.undo)
    turned(table, perform.undo)
    table.must(commands.Harm(table[CLARA], 1, Damage.BASHING))
    turned(table, perform.undo)


def turned(table: Table, way: Any) -> None:
    way(encounter_id=table.encounter_id, actor=table.people["story"])


def put_right(table: Table) -> None:
    """Overrides of rolled attacks, with rows since."""
    who = table[MASKED]
    ways: tuple[dict[str, Any], ...] = (
        {"outcome": "hit", "successes": 3},
        {"dealt": 1, "why": "The coat took most of it."},
        {"outcome": "miss"},
    )
    for way in ways:
        strike(table, f"{GANG} 1", MASKED)
        resolution = last_attack(table)
        table.do(commands.Harm(table[BOB], 1, Damage.BASHING))
        table.do(OverrideAttack(resolution, who, **way))


def strike(table: Table, by: str, at: str) -> None:
    """Roll an attack at once."""
    assert table.whatever(Attack(table[by], (table[at],))), table.refused[-1]


def last_attack(table: Table) -> str:
    rows = reversed([*perform.logs.rows_of(table.encounter)])
    return next(event.resolution for row in rows for event in row.events if isinstance(event, AttackResolved))


def as_it_stands(table: Table) -> None:
    """The present moment: declarations, open attacks, an extended roll, and a held roll."""
    for name in (ANN, BOB):
        table.do(Declare(table[name], f"What {name} means to do.", out_of_order=True))
    table.do(RollTraits(table[BOB], trait_pool(table), extended=Extended("the door", 30, 0, "a turn")))
    announced(table, table[ANN], table[MASKED], table.people["ann"])
    announced(table, table[f"{GANG} 1"], table[CLARA], table.people["story"])
    for question in table.encounter.clocks:
        clock(table, question, runs=False)  # the database is opened years later
    table.must(RollTraits(table[BOB], trait_pool(table), label="A noise"), table.people["bob"], hold=True)
    assert table.encounter.held == table.encounter.seq


def trait_pool(table: Table) -> tuple[str, ...]:
    """An attribute and an ability of the ruleset."""
    traits = list(table.ruleset.layout.traits())
    first = next(each.key for each in traits if each.category is Category.ATTRIBUTE)
    return (first, next(each.key for each in traits if each.category is Category.ABILITY))
