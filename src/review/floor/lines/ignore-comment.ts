/**
 * `kodiai-ignore-next-line rule-id[, rule-id] -- reason` in a comment on the previous line. Without a reason, the comment
 * has no effect and the finding is reported.
 */
const IGNORE = /\bkodiai-ignore-next-line\s+([\w-]+(?:\s*,\s*[\w-]+)*)\s+--\s+(\S.*)$/;

/** Comment closers that are not part of the reason. */
const CLOSERS = /(?:\*\/|-->|#\}|\*\))\s{0,4}\}?$/;

/** The reason given for ignoring `ruleId`, or null. */
export function ignoreReason(previousLine: string | null, ruleId: string): string | null {
  const found = previousLine === null ? null : IGNORE.exec(previousLine);
  if (found === null) return null;
  const ids = (found[1] ?? "").split(",").map((id) => id.trim());
  const reason = (found[2] ?? "").trimEnd().replace(CLOSERS, "").trim();
  return ids.includes(ruleId) && reason !== "" ? reason : null;
}
