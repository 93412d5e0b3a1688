"""Is a cached answer the answer? Replays fixed conversations cold and cached, and compares."""

from engine.audit.runner import AuditReport, AuditRow, audit

__all__ = ["AuditReport", "AuditRow", "audit"]
