"""Exports of the debugger: pictures, tables, traces."""
