"""Performs the steps of a script in the window, as a user would."""

from __future__ import annotations

from app.core.bridge import Bridge
from app.debugger.tree_panel import TreePanel
from app.shell.script import Step
from app.shell.window import MainWindow

# The tree's views in the order of their buttons; scripts use the same names in every language.
_VIEWS = ("messages", "tokens", "memory", "topology")
_NO_WORD = '"{}" is not among the tokens of the memory lab.'


class ScriptActor:
    """Acts on one window, and the engine behind it."""

    def __init__(self, window: MainWindow, bridge: Bridge) -> None:
        self._window, self._bridge = window, bridge

    @property
    def waits(self) -> bool:
        """Whether the engine is still busy with the last step."""
        session = self._bridge.session
        return session.busy or session.lab.open is not None

    def do(self, step: Step) -> str:
        """Perform a step; why it cannot be done, "" if it can."""
        window, session, perform = self._window, self._bridge.session, self._bridge.perform
        match step.verb:
            case "say":
                window.drafts.send(step.text)
            case "again":
                perform(session.regenerate())
            case "new":
                window.menus.new.trigger()
            case "system":
                perform(session.set_system(step.text))
            case "think":
                perform(session.set_thinking(step.text == "on"))
                window.chat.show_session(session)
            case "debugger":
                return self._show_panel(step.text or TreePanel.name)
            case "view":
                return self._show_view(step.text)
            case "lab":
                return self._show_tab(step.text)
            case "needle":
                lab = window.lab.window
                if lab is None or not lab.recall.choose_word(step.text):
                    return _NO_WORD.format(step.text)
            case "query":
                lab = window.lab.window
                if lab is None or not lab.recall.ask_before(step.text):
                    return _NO_WORD.format(step.text)
            case "select" if step.number <= len(session.conversations):
                window.chats.chosen.emit(session.conversations[step.number - 1].id)
            case "edit":
                asked = [turn for turn in session.current.turns if turn.role == "user"]
                if step.number <= len(asked):
                    perform(session.edit(asked[step.number - 1].id, step.text))
        return ""

    def _show_panel(self, name: str) -> str:
        shown = self._window.debugger.show_panel(name)
        return "" if shown else f'The debugger has no panel "{name}".'

    def _show_tab(self, name: str) -> str:
        """Open the memory lab at the size of the window, as the screenshot shows it instead."""
        if not self._window.lab.open_tab(name):
            return f'The memory lab has no tab "{name}".'
        if self._window.lab.window is not None:
            self._window.lab.window.resize(self._window.size())
        return ""

    def _show_view(self, name: str) -> str:
        """Select a view of the tree: in the debugger if it is on screen, else in the cache pane."""
        debugger = self._window.debugger
        tree = None if debugger.desk is None else debugger.desk.panels[TreePanel.name]
        canvas = self._window.cache.canvas
        if debugger.on_screen and isinstance(tree, TreePanel):
            canvas = tree.canvas
        views = dict(zip(_VIEWS, (view.name for view in canvas.views), strict=True))
        if name.lower() not in views:
            return f'The tree has no view "{name}".'
        canvas.show_view(views[name.lower()])
        return ""
