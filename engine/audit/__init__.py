"""Does the cache change answers? Runs fixed conversations cold and cached, and compares."""

from engine.audit.runner import AuditReport, AuditRow, audit

__all__ = ["AuditReport", "AuditRow", "audit"]
