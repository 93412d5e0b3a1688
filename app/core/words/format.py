"""Human-readable numbers and dates."""

from __future__ import annotations

from datetime import date, datetime

from app.core.words.tr import tr, trn

_BYTE_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


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


def count(value: int) -> str:
    """12416 -> "12,416"."""
    return f"{value:,}"


def plural(value: int, noun: str) -> str:
    """(1, "token") -> "1 token"; (1200, "token") -> "1,200 tokens"."""
    return trn(f"{{count}} {noun}", f"{{count}} {noun}s", value).format(count=count(value))


def thousands(value: int) -> str:
    """A compact count: 840 -> "840", 12416 -> "12.4k", 250000 -> "250k"."""
    if value < 1000:
        return str(value)
    return f"{value / 1000:.1f}k" if value < 99_950 else f"{value / 1000:,.0f}k"


def byte_size(value: int) -> str:
    """Three significant digits in binary units: 1288490189 -> "1.20 GiB"."""
    amount = float(value)
    for unit in _BYTE_UNITS:
        if amount < 1000 or unit == _BYTE_UNITS[-1]:
            break
        amount /= 1024
    if unit == "B":
        return f"{value} B"
    digits = 2 if amount < 10 else 1 if amount < 100 else 0
    return f"{amount:.{digits}f} {unit}"


def shared_unit(text: str) -> str:
    """ "1.20 GiB of 3.40 GiB" -> "1.20 of 3.40 GiB"; differing units are kept."""
    of = tr("{amount} of {total}").format(amount="", total="")
    used, _, total = text.partition(of)
    amount, _, unit = used.rpartition(" ")
    return (
        tr("{amount} of {total}").format(amount=amount, total=total)
        if amount and total.endswith(f" {unit}")
        else text
    )


def seconds(value: float) -> str:
    """0.183 -> "0.18 s", 12.3 -> "12.3 s", 75 -> "1 min 15 s"."""
    if value < 9.95:
        return f"{value:.2f} s"
    if value < 59.95:
        return f"{value:.1f} s"
    whole = round(value)
    return tr("{whole} min {whole2} s").format(whole=whole // 60, whole2=whole % 60)


def brief_seconds(value: float) -> str:
    """Like `seconds`, with one digit where that says something: "0.04 s", "0.2 s", "2.1 s"."""
    return seconds(value) if value < 0.095 else thinking_time(value)


def clock(seconds: float) -> str:
    """Time on a tape: "1:02.3", "1:02:03"."""
    whole = max(int(seconds), 0)
    if whole < 3600:
        return f"{whole // 60}:{max(seconds, 0.0) % 60:04.1f}"
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def about(value: float) -> str:
    """An estimated time, with no false precision: "about 0.2 s", "less than 0.1 s"."""
    if value < 0.1:
        return tr("less than 0.1 s")
    return (
        tr("about {value:.1f} s").format(value=value)
        if value < 9.95
        else tr("about {seconds}").format(seconds=seconds(value))
    )


def thinking_time(value: float) -> str:
    """Like `seconds`, with one digit: a label that changes often should not flicker."""
    return f"{value:.1f} s" if value < 59.95 else seconds(value)


def rate(value: float) -> str:
    """63.4 -> "63 tok/s", 6.34 -> "6.3 tok/s"."""
    return f"{value:,.0f} tok/s" if value >= 9.95 else f"{value:.1f} tok/s"


def age(value: float) -> str:
    """Seconds since something: "now", "12 s ago", "3 min ago", "2 h ago", "3 days ago"."""
    if value < 1:
        return tr("now")
    if value < 60:
        return tr("{value:.0f} s ago").format(value=value)
    if value < 3600:
        return tr("{value:.0f} min ago").format(value=value / 60)
    if value < 48 * 3600:
        return tr("{value:.0f} h ago").format(value=value / 3600)
    return tr("{value:,.0f} days ago").format(value=value / 86400)


def percent(value: float) -> str:
    """A share given as an upper limit: "0.6%", at least "0.001%"."""
    if 0 < value < 1e-5:
        return "0.001%"
    return f"{100 * value:.2g}%" if value < 0.995 else f"{100 * value:,.0f}%"
