"""A first day with the program: real keys and a real mouse on a real X server, 1366 by 768.

The tests are one story, told in order; what each does is looked up in the saved file too.
"""

from __future__ import annotations

import pytest

from tests.driven.conftest import Start
from tests.driven.program import Program

pytestmark = pytest.mark.slow

QUESTIONS = ("Hello! My name is Ada.", "What is my name?", "What is a checkpoint?")
EDITED = "Hello! My name is Grace."
LONG = "Tell me a long story about the sea."
LAST = """SELECT content, stop FROM messages WHERE role = 'assistant'
          ORDER BY id DESC LIMIT 1"""
EDIT = "Edit and send as a new version"
BEFORE, AFTER = "Previous version", "Next version"


@pytest.fixture(scope="module")
def program(start: Start) -> Program:
    return start()


def said(program: Program) -> list[str]:
    """The user's messages on screen."""
    return program.texts("Your message")


def branch(program: Program) -> list[tuple[str, str]]:
    """Role and text of the saved branch on screen."""
    return program.read(
        """WITH RECURSIVE up(id, parent, role, content, depth) AS (
             SELECT m.id, m.parent_id, m.role, m.content, 0 FROM messages m
             JOIN conversations c ON c.leaf = m.id
             JOIN state s ON s.name = 'selected' AND s.value = c.id
             UNION ALL
             SELECT m.id, m.parent_id, m.role, m.content, depth + 1
             FROM messages m JOIN up ON m.id = up.parent)
           SELECT role, content FROM up ORDER BY depth DESC"""
    )


def asked(program: Program) -> list[str]:
    return [text for role, text in branch(program) if role == "user"]


class TestFirstDay:
    def test_three_turns(self, program: Program) -> None:
        assert program.ask("focus") == "Message"
        program.picture("01-started")
        for question in QUESTIONS:
            program.say(question)
        assert asked(program) == list(QUESTIONS)
        answers = [text for role, text in branch(program) if role == "assistant"]
        # The bundled model knows the name from the first turn.
        assert "Ada" in answers[1]
        assert answers[2].splitlines()[0] in program.shown()
        program.picture("02-three-turns")

    def test_edit_the_first_message_by_mouse(self, program: Program) -> None:
        scroll_to_top(program)
        answers = program.answers()
        program.click(EDIT)
        program.until(lambda: program.ask("focus") == "Edit your message")
        program.picture("03-editing")
        # The caret is at the end, so that the first letter erases nothing.
        program.screen.press("BackSpace")
        program.until(lambda: program.texts("Edit your message") == [QUESTIONS[0][:-1]])
        program.screen.press("ctrl+a")
        program.screen.write(EDITED)
        program.screen.press("Return")
        program.until(lambda: program.answers() > answers)
        program.until(lambda: asked(program) == [EDITED])
        program.until(lambda: "2/2" in program.shown())
        assert program.ask("focus") == "Message"
        program.picture("04-edited")
        # Nothing that was said is gone.
        kept = {text for (text,) in program.read("SELECT content FROM messages")}
        assert {*QUESTIONS, EDITED} <= kept

    def test_switch_branches_by_mouse(self, program: Program) -> None:
        program.click(BEFORE)
        program.until(lambda: asked(program) == list(QUESTIONS))
        # The message is still there, with its arrows, and not the end of the branch.
        program.until(lambda: "1/2" in program.shown())
        program.picture("05-first-branch")
        program.until(lambda: QUESTIONS[0] in program.ask("rows"))
        program.click(AFTER)
        program.until(lambda: asked(program) == [EDITED])
        program.until(lambda: said(program) == [EDITED])

    def test_switch_branches_by_key(self, program: Program) -> None:
        program.click("Message")
        program.screen.press("alt+Left")
        program.until(lambda: asked(program) == list(QUESTIONS))
        program.screen.press("alt+Right")
        program.until(lambda: asked(program) == [EDITED])
        program.screen.press("alt+Left")
        program.until(lambda: asked(program) == list(QUESTIONS))

    def test_stop_a_running_answer(self, program: Program) -> None:
        program.screen.press("ctrl+n")
        program.until(lambda: not program.boxes("Your message"))
        program.screen.write(LONG)
        program.until(lambda: program.texts("Message") == [LONG])
        # The bundled model's answers are short: Esc may come before the first word or too late.
        pause = 0.3
        for attempt in range(12):
            key = "ctrl+r" if attempt else "Return"
            answers = program.answers()
            program.screen.act("key", key, "sleep", f"{pause:.3f}", "key", "Escape")
            program.until(lambda before=answers: program.answers() > before)  # type: ignore[misc]
            ((text, stop),) = program.read(LAST)
            if stop == "cancelled" and text:
                break
            pause *= 0.75 if stop == "end" else 1.25
            program.until(lambda: bool(program.boxes("Regenerate")))
        assert (stop, bool(text)) == ("cancelled", True)
        program.until(lambda: "Stopped" in program.shown())
        assert text.split()[0] in program.shown()
        program.picture("06-stopped")

    def test_continue_it_by_mouse(self, program: Program) -> None:
        ((before, _),) = program.read(LAST)
        program.click("Continue the answer")
        program.until(lambda: program.read(LAST)[0][1] == "end")
        ((text, _),) = program.read(LAST)
        assert text.startswith(before)
        program.until(lambda: not program.boxes("Continue the answer"))

    def test_search_by_key_and_by_mouse(self, program: Program) -> None:
        search(program, "grace")
        program.until(lambda: "matches in 1 conversation" in program.shown())
        program.picture("07-searching")
        # The message is on another branch than the one that was on screen last.
        program.screen.press("Down", "Down", "Return")
        program.until(lambda: asked(program) == [EDITED] == said(program))
        search(program, "recurrent state")
        program.until(lambda: any("recurrent" in row for row in program.ask("rows")))
        program.click(next(row for row in program.ask("rows") if "recurrent" in row))
        program.until(lambda: asked(program) == list(QUESTIONS))
        program.picture("08-found")
        search(program, "zeppelin")
        program.until(lambda: "recurrent" not in "".join(program.ask("rows")))
        program.picture("09-nothing-found")
        program.screen.press("Escape")
        program.until(lambda: LONG in program.ask("rows"))
        program.click(LONG)
        program.until(lambda: said(program) == [LONG])

    def test_switch_the_theme_by_menu(self, program: Program) -> None:
        assert program.ask("lightness") > 0.7
        program.menu("View", "Theme", "Dark")
        program.until(lambda: program.ask("lightness") < 0.3)
        program.picture("10-dark")

    def test_a_draft_is_left_behind(self, program: Program) -> None:
        program.click("Message")
        program.screen.write("Half a thou")
        program.until(lambda: program.texts("Message") == ["Half a thou"])

    def test_quit_and_start_again(self, program: Program, start: Start) -> None:
        before = program.read("SELECT * FROM messages ORDER BY id")
        assert program.quit() == 0
        again = start()
        assert again.read("SELECT * FROM messages ORDER BY id") == before
        assert again.ask("lightness") < 0.3
        assert again.texts("Message") == ["Half a thou"]
        assert said(again) == [LONG]
        again.picture("11-started-again")
        (title,) = set(again.ask("rows")) - {LONG}
        again.click(title)
        again.until(lambda: QUESTIONS[-1] in said(again))
        scroll_to_top(again)
        again.until(lambda: said(again)[:1] == [QUESTIONS[0]])
        again.until(lambda: "1/2" in again.shown())
        again.say("What is my name?")
        assert asked(again) == [*QUESTIONS, "What is my name?"]
        assert "Ada" in branch(again)[-1][1]

        # At rest an answer shows its time and speed alone.
        def shows_more() -> bool:
            # What moves under a resting mouse does not know of it.
            again.point("Message")
            again.point("Regenerate", -1)
            return "from disk" in again.shown()

        again.until(shows_more)
        again.picture("12-from-disk")
        assert again.quit() == 0


def search(program: Program, words: str) -> None:
    program.screen.press("ctrl+shift+f")
    program.until(lambda: program.ask("focus") == "Search conversations")
    program.screen.press("ctrl+a")
    program.screen.write(words)
    program.until(lambda: program.texts("Search conversations") == [words])


def scroll_to_top(program: Program) -> None:
    """With the wheel, over the conversation."""
    x, y, width, _ = program.boxes("Message")[0]
    program.screen.move(x + width // 2, y - 200)
    program.screen.act("click", "--repeat", 30, "--delay", 5, 4)
