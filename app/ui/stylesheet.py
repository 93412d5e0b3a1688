"""The Qt style sheet, made from a theme's colours. Without Qt."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template

# The sizes of letters, in pixels; everything else has `theme.UI_PX`.
TYPE = {"tiny": 11, "small": 12, "lead": 14, "head": 20}

_SHEET = Template("""
QMainWindow, QWidget#centre { background: $window; }
QWidget#sidebar { background: $sidebar; }
QWidget#cachePane { background: $panel; }
QSplitter::handle { background: $border; }
QSplitter#quiet::handle { background: transparent; }
QMainWindow::separator { background: $border; width: 1px; height: 1px; }
QMainWindow#desk QTabBar { qproperty-drawBase: 0; background: $panel; }
QMainWindow#desk QTabBar::tab { background: transparent; color: $dim; border: none;
  border-bottom: 2px solid transparent; padding: 6px 8px; }
QMainWindow#desk QTabBar::tab:first, QMainWindow#desk QTabBar::tab:only-one { padding-left: 12px; }
QMainWindow#desk QTabBar::tab:hover { color: $text; }
QMainWindow#desk QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QFrame#story { border: none; border-right: 1px solid $border; }
QFrame#story[flat="true"] { border-right: none; border-bottom: 1px solid $border; }
QTabWidget#lab::pane { border: none; border-top: 1px solid $border; }
QTabWidget#lab QTabBar { qproperty-drawBase: 0; background: transparent; }
QTabWidget#lab QTabBar::tab { background: transparent; color: $dim; border: none;
  border-bottom: 2px solid transparent; padding: 6px 12px; }
QTabWidget#lab QTabBar::tab:hover { color: $text; }
QTabWidget#lab QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabWidget#lab QTabBar:focus { border: 1px solid $accent; border-radius: 4px; }
QMainWindow#desk QToolBar { background: $panel; border: none; border-bottom: 1px solid $border;
  padding: 0; spacing: 0; }
QFrame#transport { background: $panel; border: none; }
QFrame#transport[past="true"] { background: $hover; border-bottom: 2px solid $accent; }
QFrame#transport[past="true"] QLabel { color: $text; font-weight: 600; }
QDockWidget { color: $dim; background: $panel; }
QDockWidget::title { background: $panel; text-align: left; padding: 6px 12px; }
QDockWidget > QWidget { background: $panel; }
QMenuBar { background: $sidebar; color: $dim; padding: 2px 6px; }
QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: $hover; color: $text; }
QMenu { background: $raised; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 24px; border-radius: 4px; }
QMenu::item:selected { background: $hover; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $border; margin: 4px 8px; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 6px 8px; }
QStatusBar { background: $sidebar; color: $dim; border-top: 1px solid $border; }
QStatusBar::item { border: none; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QScrollArea, QScrollArea > QWidget > QWidget#column { background: transparent; border: none; }
QScrollArea#ringed { border: 1px solid transparent; border-radius: 8px; }
QScrollArea#ringed:focus { border-color: $accent; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 3px; margin: 2px; min-height: 32px;
  min-width: 32px; }
QScrollBar::handle:hover { background: $faint; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QPushButton { background: $raised; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 6px 14px; }
QPushButton:hover { background: $hover; }
QPushButton:focus { border-color: $accent; }
QPushButton:disabled { color: $faint; }
QPushButton[kind="primary"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[kind="primary"]:hover { background: $accent_hover; }
QPushButton[kind="primary"]:disabled { background: $track; color: $faint; border-color: $track; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; padding: 5px 13px; }
QPushButton[kind="prompt"] { background: transparent; border-radius: 10px; padding: 8px 14px;
  text-align: left; }
QPushButton[kind="prompt"]:hover { background: $hover; }
QPushButton[kind="prompt"]:focus { border-color: $accent; }
QPushButton[kind="model"] { background: transparent; border-color: transparent;
  padding: 4px 10px; }
QPushButton[kind="model"]:hover, QPushButton[kind="model"]:open { background: $hover; }
QPushButton[kind="model"]:focus { border-color: $accent; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0; }
QPushButton[kind="link"] { background: transparent; color: $accent; border: 1px solid transparent;
  border-radius: 4px; padding: 0 2px; font-size: ${small}px; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border-color: $accent; }
QPushButton[kind="small"], QPushButton[kind="primarySmall"] { padding: 2px 10px; }
QPushButton[kind="primarySmall"] { background: $accent; color: $on_accent; border-color: $accent; }
QPushButton[kind="primarySmall"]:hover { background: $accent_hover; }
QPushButton[kind="primarySmall"]:disabled { background: $track; color: $faint;
  border-color: $track; }
QPushButton[kind="primarySmall"]:focus { border: 2px solid $text; padding: 1px 9px; }
QPushButton[kind="round"] { background: $accent; border: none; border-radius: 16px; padding: 0; }
QPushButton[kind="round"]:hover { background: $accent_hover; }
QPushButton[kind="round"]:disabled { background: $track; }
QPushButton[kind="round"]:focus { border: 2px solid $text; }
QToolButton { background: transparent; color: $dim; border: 1px solid transparent;
  border-radius: 6px; padding: 4px; }
QToolButton:hover { background: $hover; color: $text; }
QToolButton:focus { border-color: $accent; }
QToolButton:checked { color: $accent; background: $hover; }
QToolButton[kind="jump"] { background: $raised; border: 1px solid $border; border-radius: 13px; }
QToolButton[kind="jump"]:hover { background: $hover; }
QToolButton[kind="fold"], QToolButton[kind="fold"]:checked { padding: 2px 8px 2px 2px;
  background: transparent; color: $dim; }
QToolButton[kind="fold"]:hover { color: $text; background: $hover; }
QPushButton[kind="chip"] { background: transparent; color: $dim; border-radius: 14px;
  padding: 5px 12px 5px 10px; }
QPushButton[kind="chip"]:hover { background: $hover; color: $text; }
QPushButton[kind="chip"]:checked { border-color: $accent; color: $accent; background: $hover; }

QPushButton[kind="sum"] { background: transparent; color: $dim; border-radius: 6px;
  padding: 2px 8px; font-size: ${small}px; }
QPushButton[kind="sum"]:hover { background: $hover; color: $text; }
QPushButton[kind="sum"]:checked { border-color: $accent; color: $accent; background: $hover; }
QPushButton[kind="sum"]:focus { border: 2px solid $accent; padding: 1px 7px; }
QPushButton[kind="mark"] { background: transparent; color: $dim; border: 1px solid transparent;
  border-radius: 6px; padding: 1px 5px; font-size: ${small}px; }
QPushButton[kind="mark"]:hover { background: $hover; color: $text; }
QPushButton[kind="mark"]:checked { border-color: $accent; color: $accent; background: $hover; }
QPushButton[kind="mark"]:focus { border-color: $accent; }
QPushButton[kind="chip"]:focus { border: 2px solid $accent; padding: 4px 11px 4px 9px; }

QFrame#composer { background: $raised; border: 1px solid $border; border-radius: 14px; }
QFrame#composer[active="true"] { border-color: $accent; }
QFrame#composer[dropping="true"] { border: 2px dashed $accent; }
QFrame#fileChip { background: $window; border: 1px solid $border; border-radius: 8px; }
QFrame#fileChip:hover { background: $hover; }
QFrame#fileChip:focus { border-color: $accent; }
QFrame#fileChip QToolButton { padding: 2px; }
QFrame#advice { background: $raised; border: 1px solid $border; border-radius: 8px; }
QFrame#queue { background: $panel; border: 1px solid $border; border-radius: 10px; }
QFrame#contextNotice { background: $raised; border: 1px solid $replayed; border-radius: 10px; }
QFrame#contextNotice[urgent="true"] { border-color: $danger; }
QFrame#palette { background: $raised; border: 1px solid $border; border-radius: 12px; }
QLineEdit#paletteField { background: transparent; border: none; padding: 12px 20px;
  font-size: ${lead}px; }
QFrame#palette QListView { background: transparent; padding: 4px 0; }
QWidget#settingsPage { background: $window; }
QComboBox[kind="list"] { background: $window; color: $text; border: 1px solid $border;
  border-radius: 6px; padding: 4px 24px 4px 8px; }
QComboBox[kind="list"]:focus { border-color: $accent; }
QComboBox[kind="list"] QLineEdit { background: transparent; border: none; padding: 0; }
QComboBox[kind="list"]::drop-down { border: none; width: 24px; }
QComboBox[kind="list"]::down-arrow { image: none; width: 0; height: 0; }
QListWidget#settingsList { background: $sidebar; padding: 8px 0; border-right: 1px solid $border; }
QFrame#settingBox { background: $raised; border: 1px solid $border; border-radius: 12px; }
QFrame#settingRow { border: 1px solid transparent; border-radius: 12px; }
QFrame#settingRow[sought="true"] { border-color: $accent; }
QPushButton[kind="keys"] { font-family: "$mono"; font-size: ${small}px; padding: 4px 10px; }
QPushButton[kind="keys"][unset="true"] { color: $faint; }
QPushButton[kind="keys"]:checked { border-color: $accent; color: $accent; }
QFrame#findBar { background: $raised; border: 1px solid $border; border-radius: 10px; }
QFrame#settingsPanel { background: $panel; border: none; border-top: 1px solid $border;
  border-left: 1px solid $border; }
QFrame#settingsPanel[over="true"] { border-bottom: 1px solid $border; }
QFrame#sheet { background: $panel; border: 1px solid $border; border-top: none;
  border-bottom: none; }
QWidget#cacheStrip { background: $panel; border-left: 1px solid $border; }
QFrame#changedDot { background: $accent; border: none; border-radius: 3px; }
QToolButton[changed="true"] { color: $accent; }
QAbstractSpinBox { background: $window; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 3px 18px 3px 6px; selection-background-color: $selection; selection-color: $text; }
QAbstractSpinBox:focus { border-color: $accent; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 18px;
  border: none; background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; margin-top: 2px; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; margin-bottom: 2px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-arrow, QAbstractSpinBox::down-arrow { image: none; width: 0; height: 0; }
QAbstractSpinBox QLineEdit { background: transparent; border: none; padding: 0; }
QSlider::groove:horizontal { background: $track; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { background: $raised; border: 1px solid $faint; border-radius: 8px;
  width: 14px; margin: -6px 0; }
QSlider::handle:horizontal:hover { background: $hover; }
QSlider:focus { border: 1px solid $accent; border-radius: 6px; }
QSlider { border: 1px solid transparent; padding: 2px 4px; }
QCheckBox { spacing: 8px; }
QCheckBox:disabled { color: $faint; }
QCheckBox::indicator { width: 13px; height: 13px; border: 1px solid $faint; border-radius: 4px;
  background: $window; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; }
QCheckBox::indicator:focus { border: 2px solid $text; width: 11px; height: 11px; }
QRadioButton { spacing: 8px; padding: 2px; }
QRadioButton::indicator { width: 12px; height: 12px; border: 1px solid $faint; border-radius: 7px;
  background: $window; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 4px solid $accent;
  border-radius: 7px; background: $window; }
QRadioButton:focus { color: $accent; }
QRadioButton::indicator:focus { border-color: $text; }
QCheckBox::indicator:disabled { border-color: $border; background: transparent; }
QFrame#findBar QLineEdit { background: transparent; border: 1px solid transparent; }
QFrame#findBar QLineEdit:focus { border-color: $accent; }
QFrame#bubble { background: $bubble; border-radius: 14px; }
QFrame#codeBlock { background: $code; border: 1px solid $border; border-radius: 8px; }
QFrame#codeBlock[joined="true"] { border-top: none; border-top-left-radius: 0;
  border-top-right-radius: 0; }
QFrame#thinking { border: none; border-left: 2px solid $border; }
QFrame#errorCard { background: $danger_surface; border: 1px solid $danger; border-radius: 8px; }
QFrame#hoverCard { background: $raised; border: 1px solid $border; border-radius: 8px; }
QFrame#hoverCard[pinned="true"] { border: 1px solid $accent; }
QFrame#card { background: $raised; border: 1px solid $border; border-radius: 12px; }
QFrame#rule { background: $border; max-height: 1px; min-height: 1px; border: none; }
QPlainTextEdit, QTextBrowser, QTextEdit { background: transparent; border: none; color: $text;
  selection-background-color: $selection; selection-color: $text; }
QPlainTextEdit[kind="field"] { background: $window; border: 1px solid $border; border-radius: 8px;
  padding: 6px; }
QPlainTextEdit[kind="quiet"] { border: 1px solid transparent; border-radius: 6px; }
QPlainTextEdit[kind="field"]:focus, QPlainTextEdit[kind="quiet"]:focus { border-color: $accent; }
QLineEdit { background: $window; color: $text; border: 1px solid $border; border-radius: 6px;
  padding: 3px 6px; selection-background-color: $selection; selection-color: $text; }
QLineEdit:focus { border-color: $accent; }
QLineEdit#search { background: $raised; border: 1px solid $border; border-radius: 8px;
  padding: 6px 8px; }
QLineEdit#search:focus { border-color: $accent; }
QListView { background: $raised; border: none; outline: none; }
QWidget#sidebar QListView { background: transparent; }
QListView::item { color: $dim; border: 1px solid transparent; border-radius: 6px;
  padding: 6px 7px; margin: 1px 8px; }
QListView#offers { border: 1px solid $border; padding: 2px; }
QListView#offers::item { padding: 3px 8px; border-radius: 4px; }
QListView::item:hover { background: $hover; }
QListView::item:selected { background: $hover; color: $text; }
QListView::item:focus { border-color: $accent; }
QTableView { background: $window; border: 1px solid $border; border-radius: 8px; outline: none;
  selection-background-color: $selection; selection-color: $text; }
QTableView:focus { border-color: $accent; }
QTableView::item { padding: 0 4px; border: none; }
QTableView::item:selected { background: $selection; color: $text; }
QTreeView { background: $window; border: 1px solid $border; border-radius: 8px; outline: none;
  selection-background-color: $selection; selection-color: $text; }
QTreeView:focus { border-color: $accent; }
QTreeView::item { padding: 3px 4px; border: none; }
QTreeView::item:selected { background: $selection; color: $text; }
QHeaderView { background: transparent; border: none; border-top-left-radius: 7px;
  border-top-right-radius: 7px; }
QHeaderView::section { background: $window; color: $faint; border: none; font-size: ${tiny}px;
  border-bottom: 1px solid $border; padding: 5px 6px; }
QHeaderView::section:first, QHeaderView::section:only-one { border-top-left-radius: 7px; }
QHeaderView::section:last { border-top-right-radius: 7px; }
QHeaderView::section:hover { color: $text; }
QProgressBar { background: $track; border: none; border-radius: 2px; max-height: 4px;
  min-height: 4px; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QLabel[kind="title"] { font-weight: 600; font-size: ${lead}px; }
QLabel[kind="headline"] { font-weight: 600; font-size: ${head}px; }
QLabel[kind="section"] { color: $faint; font-weight: 600; font-size: ${tiny}px; }
QLabel[kind="dim"] { color: $dim; }
QLabel[kind="faint"] { color: $faint; font-size: ${small}px; }
QLabel[kind="figures"] { color: $faint; font-family: "$mono"; font-size: ${small}px; }
QLabel[kind="figuresStrong"] { color: $dim; font-family: "$mono"; font-size: ${small}px; }
QLabel[kind="danger"] { color: $danger; }
QLabel[kind="accentSmall"] { color: $accent; font-size: ${small}px; }
QLabel[kind="dangerSmall"] { color: $danger; font-size: ${small}px; }
QLabel[kind="figuresGood"] { color: $good; font-family: "$mono"; font-size: ${small}px; }
QLabel[kind="strong"] { font-weight: 600; }
QLabel[kind="figuresDanger"] { color: $danger; font-family: "$mono"; font-size: ${small}px; }
""")


def stylesheet(colours: Mapping[str, str], mono: str) -> str:
    """The sheet for the whole application."""
    return _SHEET.substitute(colours, mono=mono, **TYPE)
