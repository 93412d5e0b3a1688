"""Days in words: the names that Python has for them are English whatever is set. Without Qt."""

from __future__ import annotations

from datetime import date, datetime

from app.words.tr import tr


def full_day(day: date, *, year: bool) -> str:
    """ "Friday, 3 July", or with its year: "Friday, 3 July 2026"."""
    text = tr("{weekday}, {day} {month} {year}") if year else tr("{weekday}, {day} {month}")
    return text.format(weekday=_weekday(day), day=day.day, month=_month(day), year=day.year)


def short_day(day: date, *, year: bool) -> str:
    """ "3 Jul", or with its year: "3 Jul 2026"."""
    text = tr("{day} {month} {year}") if year else tr("{day} {month}")
    return text.format(day=day.day, month=_short_month(day), year=day.year)


def moment(when: datetime) -> str:
    """ "23 November 2026, 09:41"."""
    return tr("{day} {month} {year}, {time}").format(
        day=when.day, month=_month(when), year=when.year, time=f"{when:%H:%M}"
    )


def _weekday(day: date) -> str:
    return (
        *(tr("Monday"), tr("Tuesday"), tr("Wednesday"), tr("Thursday")),
        *(tr("Friday"), tr("Saturday"), tr("Sunday")),
    )[day.weekday()]


def _month(day: date) -> str:
    return (
        *(tr("January"), tr("February"), tr("March"), tr("April"), tr("May"), tr("June")),
        *(tr("July"), tr("August"), tr("September"), tr("October"), tr("November"), tr("December")),
    )[day.month - 1]


def _short_month(day: date) -> str:
    return (
        *(tr("Jan"), tr("Feb"), tr("Mar"), tr("Apr"), tr("May"), tr("Jun")),
        *(tr("Jul"), tr("Aug"), tr("Sep"), tr("Oct"), tr("Nov"), tr("Dec")),
    )[day.month - 1]
