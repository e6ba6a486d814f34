"""The scenes for the screenshots: a fight before it starts, one with twelve combatants and long names, and its end."""

from datetime import UTC, datetime, timedelta
from itertools import cycle

from campaigns import services as campaigns
from campaigns.models import Chronicle, Membership, Role, User
from characters.models import CarriedWeapon, Character, Weapon
from combat.commands import drafts, perform
from combat.demo import make_demo
from combat.history.records import ruleset_for
from combat.live import wall
from combat.log import codec
from combat.models import Encounter
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import BARE_HANDS, Damage
from rules.topics import commands
from rules.topics.commands import Declare

NIGHT = datetime(2026, 10, 31, 22, 40, tzinfo=UTC)
WAIVED = ("MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1", "MQ-ABORT-1")

KONSTANTIN = "Konstantin Featherstonehaugh"
SISTER = "Sister Philippa of the Hours"
BARTHOLOMEW = "Bartholomew Oyelaran-Whitby"
EZEKIEL = "Ezekiel Thistlethwaite-Moore"
LONG = (
    (KONSTANTIN, "vampire", "Sword"),
    (SISTER, "ghoul", "Knife"),
    (BARTHOLOMEW, "mortal", "Club"),
    (EZEKIEL, "vampire", "Light pistol"),
)
TRAITS = {"strength": 3, "dexterity": 3, "stamina": 3, "wits": 3, "alertness": 2, "brawl": 2, "melee": 3, "dodge": 2}
DECLARED = {
    "Thug 2": "rushes the vestry door",
    BARTHOLOMEW: "I put myself between them and the altar.",
    "Tam": "both barrels at whoever is nearest",
    "Ilya Voss": "I go for the tall man, and let the boy run.",
    "Marguerite": "Two quick ones at the boy’s hands.",
}

ORDER = (
    "Tam",
    "The Deacon",
    KONSTANTIN,
    "Thug 1",
    "Thug 2",
    SISTER,
    EZEKIEL,
    "Thing in the rafters",
    BARTHOLOMEW,
    "Thug 3",
)


class SameDice:
    """Dice that always fall in the same order."""

    def __init__(self):
        self.faces = cycle((8, 3, 7, 2, 9, 6, 1, 10, 5, 7, 4, 8, 2, 6, 9, 3, 10, 5))

    def roll(self, throw):
        return tuple(next(self.faces) for _die in range(throw.count))

    def pick(self, options):
        return 0


HIGHEST = 17
"""The highest initiative total."""


class Ranked:
    """Initiative rolls that put people in this order, highest first, as closely as their Traits allow."""

    def __init__(self, fight, names):
        encounter = Encounter.objects.select_related("chronicle").get(pk=fight.pk)
        ruleset, people = ruleset_for(encounter), codec.load_state(encounter.state).combatants
        totals = {fight[name]: HIGHEST - place for place, name in enumerate(names)}
        ratings = {who: ruleset.initiative.rating(people[who].sheet) for who in totals}
        self.faces = {who: min(10, max(1, total - ratings[who])) for who, total in totals.items()}

    def roll(self, throw):
        return (self.faces[throw.by],)


class Fight:
    """A fight, with methods for what the Storyteller does in it."""

    def __init__(self, encounter, storyteller, dice):
        self.pk, self.storyteller, self.dice = encounter.pk, storyteller, dice
        self.path = f"/encounters/{encounter.pk}/"

    def __getitem__(self, name):
        people = codec.load_state(Encounter.objects.get(pk=self.pk).state).combatants
        return next(who for who, each in people.items() if each.sheet.name == name)

    def do(self, *wanted):
        """Perform commands as the Storyteller, waiving turn order."""
        common = {"encounter_id": self.pk, "actor": self.storyteller, "dice": self.dice, "waive": WAIVED}
        for command in wanted:
            perform.perform(command=command, **common)

    def roll_initiative(self, dice):
        perform.perform(encounter_id=self.pk, actor=self.storyteller, command=commands.RollInitiative(), dice=dice)

    def strike(self, by, at, words="", defence=""):
        """An attack with the weapon they carry, with the Storyteller's narration above it."""
        state = codec.load_state(Encounter.objects.get(pk=self.pk).state)
        weapon = next(iter(state.combatants[self[by]].sheet.weapons), None)
        answers = {self[at]: Defence(defence)} if defence else {}
        self.do(Attack(self[by], (self[at],), weapon.name if weapon else BARE_HANDS, defences=answers))
        if words:
            resolved = codec.load_state(Encounter.objects.get(pk=self.pk).state).resolutions
            self.do(commands.Narrate(f"r{resolved}", words))


def scenes():
    """Each state of the table with its pages: (name, {page: (username, path)}). A state lasts until the next."""
    make_demo()
    chronicle = Chronicle.objects.get()
    people = {user.username: user for user in User.objects.all()}
    yield from nobody_yet(people)
    by = Membership.objects.get(chronicle=chronicle, role=Role.STORYTELLER)
    fight = Fight(Encounter.objects.fights().get(chronicle=chronicle), by.user, SameDice())
    link = f"/wall/{wall.open_wall(by=by)}/"
    twelve(fight, chronicle)
    two_turns(fight, people)
    pages = {"dashboard": ("storyteller", fight.path), "phone": ("ilya", fight.path), "wall": (None, link)}
    yield "busy", {**pages, "report": ("storyteller", f"{fight.path}report/")}
    fight.do(commands.End())
    Encounter.objects.filter(pk=fight.pk).update(ended=NIGHT)
    yield "ended", {**pages, "report": ("ilya", f"{fight.path}report/")}


def nobody_yet(people):
    """A chronicle on its first evening: an empty draft, and a fight in which nothing has happened."""
    first = campaigns.create_chronicle(user=people["storyteller"], name="The Long Thaw", ruleset="masquerade")
    campaigns.add_member(chronicle=first, user=people["ilya"], role=Role.PLAYER)
    by = Membership.objects.get(chronicle=first, role=Role.STORYTELLER)
    link = f"/wall/{wall.open_wall(by=by)}/"
    draft = drafts.create_encounter(by=by, name="The ferry landing")
    fight = Fight(draft, by.user, SameDice())
    yield "empty", {"dashboard": ("storyteller", fight.path), "wall": (None, link)}
    own = make(first, "Anselm Ward", "vampire", owner=people["ilya"])
    drafts.add_character(encounter_id=fight.pk, actor=by.user, character=own)
    begin(fight)
    yield "empty", {"phone": ("ilya", fight.path), "report": ("storyteller", f"{fight.path}report/")}


def make(chronicle, name, kind, weapon="", owner=None):
    made = Character.objects.create(
        chronicle=chronicle, name=name, kind=kind, owner=owner, traits=TRAITS | {"willpower": 5, "generation": 11}
    )
    if weapon:
        row = Weapon.objects.get(chronicle__isnull=True, ruleset="masquerade", name=weapon)
        CarriedWeapon.objects.create(character=made, weapon=row, rounds=8 if "pistol" in weapon else None)
    return made


def twelve(fight, chronicle):
    """Add four characters with very long names to the demo's eight."""
    for name, kind, weapon in LONG:
        made = make(chronicle, name, kind, weapon)
        drafts.add_character(encounter_id=fight.pk, actor=fight.storyteller, character=made)
    begin(fight)


def begin(fight):
    fight.do(commands.Begin())
    Encounter.objects.filter(pk=fight.pk).update(begun=NIGHT - timedelta(minutes=50))


def declare(fight, said):
    for name, words in said.items():
        fight.do(Declare(fight[name], words, out_of_order=True))
    fight.do(commands.Act())


def two_turns(fight, people):
    """The first turn is over; in the second it is two players' turn, and one attack waits for approval."""
    fight.do(commands.RollInitiative())
    declare(fight, {"Ilya Voss": "I hold the aisle.", "Tam": "reloads with shaking hands"})
    fight.strike(
        "The Deacon", "Ilya Voss", "The axe comes down where the lamp’s circle ends, and takes the sleeve with it."
    )
    fight.strike(KONSTANTIN, "Thug 1", defence="dodge")
    fight.strike("Ilya Voss", "Thug 2", "He goes down between the pews and stays there.")
    fight.strike("Marguerite", "Tam")
    fight.do(commands.ChangeConditions(fight["Thug 3"], add=frozenset({"prone"})))
    fight.do(commands.Harm(fight["Thug 1"], 3, Damage.BASHING), commands.Harm(fight[BARTHOLOMEW], 2, Damage.LETHAL))
    fight.do(
        commands.RollTraits(
            fight["Thing in the rafters"], ("wits", "alertness"), secret=True, label="The scent of blood"
        )
    )
    fight.do(commands.EndTurn())
    fight.roll_initiative(Ranked(fight, (*ORDER[:2], "Ilya Voss", "Marguerite", *ORDER[2:])))
    players = (fight["Ilya Voss"], fight["Marguerite"])
    rest = [(fight[name],) for name in ORDER]
    fight.do(commands.SetOrder((*rest[:2], players, *rest[2:])))
    declare(fight, DECLARED)
    fight.strike("Tam", SISTER, "Both barrels at once. The pillar takes most of it.")
    fight.do(commands.Act())
    fight.strike("The Deacon", BARTHOLOMEW, "No haste in it at all. The pew behind him breaks first.")
    fight.do(commands.Act())
    attack = Attack(fight["Marguerite"], (fight["Tam"],), "Silenced pistol", distance=6)
    proposed = commands.ProposeAttack("the boy's hands", attack)
    perform.perform(encounter_id=fight.pk, actor=people["marguerite"], command=proposed)
