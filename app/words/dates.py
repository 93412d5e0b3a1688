"""Days as one says them, in the language that is set; not in that of the process's locale."""

from __future__ import annotations

from datetime import date, datetime

from app.words.tr import tr


def short_day(day: date, today: date) -> str:
    """ "3 May", "3 May 2025"."""
    months = tr("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
    return _with_year(day, months, day.year != today.year)


def long_day(day: date, today: date) -> str:
    """ "Thursday, 19 November", "Wednesday, 31 December 2025"."""
    weekdays = tr("Monday Tuesday Wednesday Thursday Friday Saturday Sunday").split()
    said = _with_year(day, _months(), day.year != today.year)
    return tr("{weekday}, {day}").format(weekday=weekdays[day.weekday()], day=said)


def moment(when: datetime) -> str:
    """ "21 November 2026, 17:49"."""
    day = _with_year(when.date(), _months(), True)
    return tr("{day}, {time}").format(day=day, time=f"{when:%H:%M}")


def _months() -> str:
    return tr(
        "January February March April May June July August September October November December"
    )


def _with_year(day: date, months: str, year: bool) -> str:
    month = months.split()[day.month - 1]
    if year:
        return tr("{day} {month} {year}").format(day=day.day, month=month, year=day.year)
    return tr("{day} {month}").format(day=day.day, month=month)
