/** Converts times of GitHub's clock, which may differ from the local one. */

type Headers = Readonly<Record<string, string | number | undefined>>;

/** GitHub's time when it answered, or the local time if the answer has none. */
export function githubNow({ date }: Headers, nowMs: number): number {
  const githubMs = Date.parse(String(date));
  return Number.isNaN(githubMs) ? nowMs : githubMs;
}

/** Converts to the local clock. `nowMs` is when the answer with these headers arrived. */
export function toLocalTime(githubMs: number, headers: Headers, nowMs: number): number {
  return githubMs + nowMs - githubNow(headers, nowMs);
}
