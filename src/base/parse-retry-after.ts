/** The wait that a `retry-after` header asks for: seconds, or a date. Null if it's neither. */
export function parseRetryAfterMs(text: string, nowMs: number): number | null {
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
