/**
 * `kodiai-ignore-next-line rule-id[, rule-id] -- reason` in a comment on the previous line. Without a reason, the comment
 * has no effect: the finding is reported and says so. The ids of linters' rules contain slashes, dots and colons.
 */
const IGNORE = /\bkodiai-ignore-next-line\s+([\w@./:-]+(?:\s*,\s*[\w@./:-]+)*)(?:\s+--\s+(\S.*))?/;

/** Comment closers that are not part of the reason. */
const CLOSERS = /(?:\*\/|-->|#\}|\*\))\s{0,4}\}?$/;

/** The reason given for ignoring `ruleId`, or null. */
export function ignoreReason(previousLine: string | null, ruleId: string): string | null {
  return reasonFor(previousLine, ruleId) || null;
}

/** A sentence for the body of a finding that a comment without a reason tries to ignore; empty for others. */
export function noteMissingReason(previousLine: string | null, ruleId: string): string {
  return reasonFor(previousLine, ruleId) === ""
    ? " The ignore comment above has no reason (`-- reason`), so it has no effect."
    : "";
}

/** Null when the line doesn't name the rule; "" when it gives no reason. */
function reasonFor(previousLine: string | null, ruleId: string): string | null {
  const found = previousLine === null ? null : IGNORE.exec(previousLine);
  const ids = (found?.[1] ?? "").split(",").map((id) => id.trim());
  if (found === null || !ids.includes(ruleId)) return null;
  return (found[2] ?? "").trimEnd().replace(CLOSERS, "").trim();
}
