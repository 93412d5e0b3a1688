"""Is a cached answer the answer? Replays fixed conversations cold and cached, and compares."""

from engine.audit.runner import AuditReport, AuditRow, audit
from engine.run.compare import Comparison, compare

__all__ = ["AuditReport", "AuditRow", "Comparison", "audit", "compare"]
