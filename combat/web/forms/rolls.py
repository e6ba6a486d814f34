"""The roll builder: Traits or a number of dice, plain, resisted, against an opponent's Traits, or extended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.preview.roll import PlannedRoll, in_words, plan_of, pools_of
from combat.web.forms.base import Choices, FieldsForm, line
from combat.web.forms.commanding import posted
from combat.web.forms.specialties import UsesSpecialty
from combat.web.forms.trait_choices import TraitSection, trait_sections, traits_of
from combat.web.forms.typed import TypesDice, throw_of
from combat.web.forms.willpower import SpendsWillpower
from rules.engine.dice import Dice, Purpose, Throw
from rules.engine.phrases import phrase, separated
from rules.engine.violations import Refusal, RuleViolation, bad_input
from rules.model.choices import Modifier
from rules.model.presets import Preset
from rules.model.roll import DifficultyOf, Extended, Resistance, RollTraits
from rules.model.sheet import Section
from rules.model.state import Combatant
from rules.topics.rolls.decide import INTERVAL, MOST_ROLLS, MOST_SUCCESSES
from rules.topics.rolls.pools import MOST_DICE

LIKELY = (("perception", "alertness"), ("wits", "composure"))
"""The Traits preselected if the sheet has them: the usual rolls to notice something."""

PLAIN, RESISTED, AGAINST, EXTENDED = "plain", "resisted", "difficulty", "extended"
KINDS = (
    (PLAIN, _("plain")),
    (RESISTED, _("resisted")),
    (AGAINST, _("against Traits")),
    (EXTENDED, _("extended")),
)
TRAITS, NUMBER = "traits", "number"
POOLS = ((TRAITS, _("Traits")), (NUMBER, _("Number of dice")))
FEW = 6
"""Up to this many characters are radio buttons; more become a list."""


@posted(RollTraits, name="roll")
class RollForm(TypesDice, SpendsWillpower, UsesSpecialty, FieldsForm):
    """Builds and rolls a pool: one Trait or two, or a number of dice."""

    title = _("Roll")
    submit = _("Roll")
    fragment = "combat/forms/_roll.html"
    preview: ClassVar[bool] = False
    who = forms.ChoiceField(label=_("Who"))
    pool = forms.ChoiceField(label=_("Pool"), required=False, choices=POOLS)
    number = forms.IntegerField(
        label=_("Number of dice"),
        required=False,
        min_value=0,
        max_value=MOST_DICE,
        error_messages={"required": _("Enter the number of dice.")},
    )
    traits = forms.MultipleChoiceField(label=_("Traits"), error_messages={"required": _("Choose a Trait to roll.")})
    difficulty = forms.IntegerField(label=_("Difficulty"), required=False, min_value=2, max_value=10)
    extra = forms.IntegerField(label=_("Extra dice"), required=False, min_value=-20, max_value=20)
    extra_why = line(_("Reason"), most=80)
    again = forms.ChoiceField(label=_("Rerolls"), required=False)
    rote = forms.BooleanField(label=_("Rote action"), required=False)
    label = line(_("Purpose"), most=80)
    kind = forms.ChoiceField(label=_("Roll type"), required=False, choices=KINDS)
    against = forms.ChoiceField(label=_("Against"), required=False)
    against_first = forms.ChoiceField(label=_("with"), required=False)
    against_second = forms.ChoiceField(label=_("and"), required=False)
    target = forms.IntegerField(label=_("Successes"), required=False, min_value=1, max_value=MOST_SUCCESSES)
    rolls = forms.IntegerField(label=_("Maximum rolls"), required=False, min_value=1, max_value=MOST_ROLLS)
    interval = line(_("Time per roll"), most=INTERVAL)
    secret = forms.BooleanField(label=_("Secret: players aren’t told"), required=False)
    strike = forms.MultipleChoiceField(required=False)

    def prepare(self) -> None:
        if self.preview:
            self._fill_in()
        paired = [(each.key, said(each.label)) for section in self._sections() for each in traits_of(section)]
        others = [pair for pair in self.table.everybody() if pair[0] != self.value("who")]
        self.let_choose("who", self.table.mine())
        self.let_choose("traits", [(key, key) for key in self._known])
        plain = self.value("pool") == NUMBER
        self.fields["traits"].required, self.fields["number"].required = not plain, plain
        self.let_choose("kind", self.kinds)
        self.let_choose("against", [("", _("nobody")), *others])
        self.let_choose("against_first", [("", _("none")), *paired])
        self.let_choose("against_second", [("", _("none")), *paired])
        self.let_choose("strike", [(key, key) for key in self.listed("strike")])
        if not self.knows_difficulty:
            del self.fields["difficulty"]
        if rerolls := self.table.ruleset.pools.rerolls:
            self.let_choose("again", [(str(face), _("{face}-again").format(face=face)) for face in rerolls])
        else:
            del self.fields["again"], self.fields["rote"]
        self.offer_willpower()
        self.offer_specialties(self.roller.sheet if self.roller else None, self._known)
        if not self.is_storyteller:
            for name in ("secret", "strike", *(("extra", "extra_why") if self.knows_difficulty else ())):
                del self.fields[name]

    # -------------------------------------------------------------- choices

    @property
    def outside_fights(self) -> bool:
        """Whether this is the page for rolls outside fights."""
        return self.view.outside_fights

    @property
    def knows_difficulty(self) -> bool:
        """Whether the ruleset's rolls have a variable difficulty."""
        return self.table.ruleset.mechanic.lowest != self.table.ruleset.mechanic.highest

    @property
    def kinds(self) -> Choices:
        """The roll types on offer. Players can't take a difficulty from Traits: it would reveal them."""
        without = set() if self.is_storyteller and self.knows_difficulty else {AGAINST}
        return [(key, str(label)) for key, label in KINDS if key not in without]

    @property
    def few(self) -> bool:
        """Whether everybody who may roll fits as radio buttons."""
        return len(self.table.mine()) <= FEW

    @property
    def roller(self) -> Combatant | None:
        """The picked roller, if the reader may roll for them."""
        who = self.value("who")
        return self.table.find(who) if self.table.may_act_for(who) else None

    @property
    def spender(self) -> Combatant | None:
        return self.roller

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The ready-made rolls of the ruleset and the chronicle."""
        return self.table.ruleset.ready_rolls()

    @property
    def sections(self) -> list[TraitSection]:
        """The roller's Traits, by sheet section."""
        layout, sheet = self.table.ruleset.layout, self.roller.sheet if self.roller else None
        return trait_sections(self._sections(), layout, sheet, self.listed("traits"))

    def _sections(self) -> list[Section]:
        layout, sheet = self.table.ruleset.layout, self.roller.sheet if self.roller else None
        sections = layout.for_kind(sheet.kind, sheet.traits) if sheet else layout.for_kind("mortal")
        return [section for section in sections if any(True for _ in traits_of(section))]

    @property
    def _known(self) -> list[str]:
        return [each.key for section in self._sections() for each in traits_of(section)]

    @property
    def picked_traits(self) -> list[str]:
        """The keys of the picked Traits that the roller has."""
        return [key for key in self.listed("traits") if key in self._known]

    @property
    def pool_in_words(self) -> str:
        """The parts of the previewed pool, such as "Strength 3 + Brawl 2 − 1"."""
        plan = self.planned()
        return in_words(plan.pool) if isinstance(plan, PlannedRoll) else ""

    # -------------------------------------------------------------- defaults

    def _fill_in(self) -> None:
        """Fill empty or invalid fields with the likeliest values, or take a ready-made roll's."""
        self.data = self.data.copy()
        mine = dict(self.table.mine())
        if self.value("who") not in mine:
            self.data["who"] = next(iter(mine), "")
        if self.value("about") != self.value("who"):
            # Hidden characters roll secretly by default.
            self.data.setlist("secret", ["on"] if self.roller and self.roller.hidden else [])
            self.data["about"] = self.value("who")
        numbered = {str(number): preset for number, preset in enumerate(self.presets)}
        if preset := numbered.get(self.value("preset")):
            self._take(preset)
        known = self._known
        picked = [key for key in self.listed("traits") if key in known]
        if not picked and not self.value("picked"):
            picked = list(next((pair for pair in LIKELY if set(pair) <= set(known)), ()))
        self.data.setlist("traits", picked)
        self.data["kind"] = self.value("kind") if self.value("kind") in dict(self.kinds) else PLAIN
        self.data["pool"] = self.value("pool") if self.value("pool") in dict(POOLS) else TRAITS
        self.data["number"] = self.value("number") or "1"
        self._pick_opponent()

    def _take(self, preset: Preset) -> None:
        self.data["pool"] = TRAITS
        kind = RESISTED if preset.resisted else AGAINST if preset.against else PLAIN
        theirs = preset.resisted or preset.against
        self.data.setlist("traits", list(preset.traits))
        self.data["difficulty"] = str(preset.difficulty or "")
        self.data["label"], self.data["kind"] = said(preset.label), kind
        self.data["against_first"], self.data["against_second"] = (*theirs, "", "")[:2]

    def _pick_opponent(self) -> None:
        """Preselect an opponent, for when the roll type changes to one that needs it."""
        who = self.value("who")
        others = [one for one, _name in self.table.everybody() if one != who]
        if self.value("against") not in others:
            self.data["against"] = next(iter(others), "")
        if not self.value("against_first"):
            self.data["against_first"], self.data["against_second"] = (*self.listed("traits"), "", "")[:2]

    # -------------------------------------------------------------- command and preview

    def command(self) -> RollTraits:
        said = self.cleaned_data
        plain = said.get("pool") == NUMBER
        traits = () if plain else tuple(said.get("traits") or ())
        kind = said.get("kind") or PLAIN
        opponent, theirs = self._opponent() if kind in (RESISTED, AGAINST) else ("", ())
        return RollTraits(
            said.get("who") or "",
            traits,
            difficulty=DifficultyOf(opponent, theirs) if kind == AGAINST else said.get("difficulty"),
            modifiers=tuple(self._modifiers(traits)),
            resisted=Resistance(opponent, theirs) if kind == RESISTED else None,
            strike=frozenset(said.get("strike") or ()),
            label=said.get("label") or self._named(traits),
            secret=bool(said.get("secret")),
            extended=self._extended() if kind == EXTENDED else None,
            number=said.get("number") if plain else None,
            again=int(said.get("again") or 0),
            rote=bool(said.get("rote")),
        )

    def _modifiers(self, traits: tuple[str, ...]) -> Iterator[Modifier]:
        said = self.cleaned_data
        yield from self.specialty_used(self.roller.sheet if self.roller else None, traits)
        if said.get("extra"):
            yield Modifier("circumstance", {"dice": said["extra"], "why": said.get("extra_why") or ""})
        yield from self.willpower_spent

    def _opponent(self) -> tuple[str, tuple[str, ...]]:
        said = self.cleaned_data
        theirs = tuple(key for key in (said.get("against_first"), said.get("against_second")) if key)
        if not said.get("against"):
            raise bad_input(phrase("choose-an-opponent"))
        if not theirs:
            raise bad_input(phrase("choose-what-they-resist-with"))
        return said["against"], theirs

    def _extended(self) -> Extended:
        said = self.cleaned_data
        if not said.get("target"):
            raise bad_input(phrase("enter-number-of-successes-needed"))
        return Extended(self.fresh_id(), said["target"], said.get("rolls") or 0, said.get("interval") or "")

    def _named(self, traits: tuple[str, ...]) -> str:
        # Not the number of dice: players may not know how many somebody else rolls. Nor what an NPC's kind calls a
        # Trait, which tells the kind.
        if not traits:
            return phrase("roll-of-dice")
        kind = self.roller.sheet.kind if self.roller and self.roller.player else ""
        return separated([self.table.ruleset.layout.trait(key, kind).label for key in traits], " + ")

    def planned(self) -> PlannedRoll | Refusal | None:
        """The preview, or the rule that forbids the roll; None while the form is invalid."""
        if self.errors or not self.roller:
            return None
        try:
            command = self.command()
        except RuleViolation as violation:
            return violation.refusal
        return plan_of(self.table.game.waiving(self.waived()), command, everything=self.is_storyteller)

    # -------------------------------------------------------------- dice

    def expected(self) -> tuple[Throw, ...]:
        if not self.types_dice or self.errors:
            return ()
        try:
            command = self.command()
            plan, theirs = pools_of(self.table.game.waiving(self.waived()), command)
        except RuleViolation:
            return ()
        throws = [throw_of(Purpose.ROLL, command.by, plan)]
        if command.resisted and theirs and self.is_storyteller:
            throws.append(throw_of(Purpose.RESIST, command.resisted.by, theirs))
        return tuple(throw for throw in throws if throw.count)

    def dice(self) -> Dice | None:
        if not self.types_dice:
            return None
        said = self.cleaned_data
        resists = self.is_storyteller and said.get("kind") == RESISTED and said.get("against")
        return self.typed_dice({said["who"], *([said["against"]] if resists else [])})


@posted(RollTraits, name="sheet-roll")
class SheetRollForm(RollForm):
    """Rolls the Traits picked on a sheet."""

    fragment = "combat/forms/_roll_bar.html"


class RollPreview(RollForm):
    """The roll builder while it is being filled in: empty or unfit fields get the likeliest value."""

    preview = True
