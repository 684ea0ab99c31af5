/** Reads times that GitHub names. They are times of GitHub's clock, which ours need not agree with. */

type Headers = Readonly<Record<string, string | number | undefined>>;

/** What GitHub's clock showed when it answered; ours when the answer doesn't say. */
export function githubNow({ date }: Headers, nowMs: number): number {
  const githubMs = Date.parse(String(date));
  return Number.isNaN(githubMs) ? nowMs : githubMs;
}

/** The same moment by our clock. `nowMs` is when the answer with these headers came. */
export function toOurTime(githubMs: number, headers: Headers, nowMs: number): number {
  return githubMs + nowMs - githubNow(headers, nowMs);
}
