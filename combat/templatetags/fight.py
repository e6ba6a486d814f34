"""Filters and tags for a fight's templates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.words import decimal, said
from combat.history import plan_parts
from combat.history.seals import EarlierSeal
from combat.panes.figures import Health, Manoeuvre, Possible, Sheet, WeaponLine
from combat.panes.questions import DefenceChoice
from combat.preview.attack import step_in_figures
from combat.preview.roll import PlannedRoll
from combat.web.forms.cast import SHOWN
from combat.web.forms.groups import SIDES
from rules.engine.violations import Refusal
from rules.model.conditions import condition_of
from rules.model.damage_steps import DamageStep
from rules.model.plan import Part
from rules.model.words import in_words

register = template.Library()

MODE_VERBS = {
    "unarmed": gettext_lazy("Strike with"),
    "melee": gettext_lazy("Strike with"),
    "firearm": gettext_lazy("Shoot with"),
    "thrown": gettext_lazy("Throw"),
    "archery": gettext_lazy("Shoot with"),
}


@register.filter
def before(seals: Mapping[str, tuple[EarlierSeal, ...]], seal: str) -> tuple[EarlierSeal, ...]:
    """The earlier seals of the row that has this one now."""
    return seals.get(seal, ())


@register.filter
def signed(number: int | None) -> str:
    """A penalty or bonus with its sign, "" for none."""
    if not number:
        return ""
    return f"−{-number}" if number < 0 else f"+{number}"


@register.filter
def level(health: Health) -> str:
    """The name of the worst marked box with its penalty, such as "Injured −1"; of wound levels only the penalty.

    If the boxes only have numbers, the health in a word: "badly hurt −1".
    """
    if health.wounds is not None:
        return _("{penalty} dice").format(penalty=signed(health.penalty)) if health.penalty else ""
    marked = [box.label for box in health.boxes if box.mark]
    if not marked:
        return ""
    name = said(health.word) if marked[-1][-1:].isdigit() else marked[-1]
    return f"{name} {signed(health.penalty)}".strip()


@register.filter
def damage_of(weapon: WeaponLine, health: Health) -> str:
    """A weapon's damage: levels and type, or what it adds to an injury."""
    return f"{weapon.damage} {said(in_words(weapon.type))}" if health.wounds is None else f"+{weapon.damage}"


@register.filter
def luck(successes: float) -> str:
    """Successes above or below the expected number, with one decimal and a sign."""
    return f"−{decimal(-successes)}" if round(successes, 1) < 0 else f"+{decimal(abs(successes))}"


@register.filter
def percent(chance: float) -> str:
    """A chance in whole percents; "< 1 %" for very small ones."""
    return "< 1 %" if chance < 0.01 else f"{chance:.0%}".replace("%", " %")


@register.filter
def in_figures(part: Part | DamageStep) -> str:
    """The effect of a pool part or a damage step in short."""
    return step_in_figures(part) if isinstance(part, DamageStep) else plan_parts.in_figures(part)


register.filter("can_be_struck", plan_parts.can_be_struck)
register.filter("again", plan_parts.again_in_words)


@register.filter
def without_body_states(conditions: Iterable[object]) -> list[object]:
    """Conditions without those that the health word already shows."""
    return [each for each in conditions if not condition_of(getattr(each, "key", "")).fallen]


@register.filter
def body_state(conditions: Iterable[object]) -> str:
    """The word for a combatant out of action: "incapacitated", "in torpor", "dead"; else ""."""
    found = [str(getattr(each, "key", "")) for each in conditions]
    return next((said(in_words(key)) for key in found if condition_of(key).fallen), "")


@register.filter
def verb(weapon: WeaponLine) -> str:
    """The verb for attacking with a weapon: "Shoot with", "Strike with"."""
    return str(MODE_VERBS.get(weapon.mode) or _("Attack with"))


@register.filter
def ready_weapons(sheet: Sheet) -> list[WeaponLine]:
    """The weapons ready for use: in hand, working, and loaded."""
    return [each for each in sheet.weapons if each.in_hand and not each.fault and each.rounds != 0]


@register.filter
def out_of_hand(sheet: Sheet) -> list[WeaponLine]:
    """The weapons to draw or to pick up."""
    return [each for each in sheet.weapons if not each.in_hand]


@register.filter
def listed(choices: Iterable[Manoeuvre]) -> list[Manoeuvre]:
    """The choices that aren't offered beside a weapon."""
    return [each for each in choices if not each.handles]


@register.filter
def powers(choices: Iterable[Manoeuvre]) -> list[Manoeuvre]:
    """The choices that are powers."""
    return [each for each in choices if each.power]


@register.filter
def without_powers(choices: Iterable[Manoeuvre]) -> list[Manoeuvre]:
    """The choices that aren't powers."""
    return [each for each in choices if not each.power]


@register.filter
def could(sheet: Sheet, key: str) -> object:
    """The possible action with that key, or None."""
    return sheet.may(key)


@register.filter
def can_do(sheet: Sheet) -> bool:
    """Whether any action is still possible this turn."""
    return any(each.allowed and not each.reflexive for each in (*sheet.possible, *sheet.manoeuvres))


@register.filter
def forbidden(sheet: Sheet) -> list[tuple[str, Refusal]]:
    """The actions that are impossible now, with the reasons."""
    return reasons(sheet.possible)


@register.filter
def allowed(choices: Iterable[Manoeuvre]) -> list[Manoeuvre]:
    """The choices that are possible now."""
    return [each for each in choices if each.allowed]


@register.filter
def reasons(choices: Iterable[Possible | DefenceChoice]) -> list[tuple[str, Refusal]]:
    """The impossible choices, grouped by reason: their labels and the refusal."""
    found: dict[Refusal, list[str]] = {}
    for each in choices:
        if each.refusal:
            found.setdefault(each.refusal, []).append(str(each.label))
    return [(", ".join(labels), refusal) for refusal, labels in found.items()]


@register.simple_tag
def spans(line: Iterable[object]) -> SafeString:
    """A sentence of the log, with each span's tone as a CSS class."""
    classes = {"name": "who", "harm": "harm", "heal": "heals", "quiet": "soft", "strong": "strong"}
    out = SafeString("")
    for span in line:
        tone, text = getattr(span, "tone", ""), getattr(span, "text", "")
        out += (
            format_html('<span class="{}">{}</span>', classes[tone], text)
            if tone in classes
            else format_html("{}", text)
        )
    return out


@register.simple_tag
def health_shown_choices() -> list[tuple[str, object]]:
    """The choices for how much of a combatant's health players see: key and label."""
    return [(key, label) for key, label in SHOWN if key]


@register.simple_tag
def side_choices() -> list[tuple[str, object]]:
    """The sides of a fight: key and label."""
    return [(side.value, label) for side, label in SIDES.items()]


@register.filter
def is_refused(plan: object) -> bool:
    """Whether a preview is a refusal."""
    return isinstance(plan, Refusal)


@register.filter
def rolls_nothing(plan: object) -> bool:
    """Whether a previewed roll has neither dice nor automatic successes, so that its result is already known."""
    return isinstance(plan, PlannedRoll) and not (plan.pool.pool or plan.pool.chance or plan.pool.sure)


@register.filter
def loaded(sheet: Sheet) -> list[WeaponLine]:
    """The weapons with ammunition."""
    return [each for each in sheet.weapons if each.rounds is not None]
