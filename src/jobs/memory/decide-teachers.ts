/**
 * Decides whose signals teach: people with write access. An author's words about their own pull request teach how the team works, and
 * never suppress anything.
 */
import type { People, Person } from "../../forge/forge.ts";
import type { Feedback, FeedbackSignal, TeachingReason } from "../../memory/feedback.ts";
import type { PersonSignal } from "./collect-signals.ts";

/** People who are looked up per job. A pull request has few reviewers; a crowd of strangers must not use up the rate limit. */
const MAX_LOOKUPS = 50;

/** An author who changes the code follows the finding. All other signals of an author are about their own work. */
const AUTHORS_SIGNALS: ReadonlySet<FeedbackSignal> = new Set(["suggestion-committed", "code-changed"]);

type DecidedFor = {
  readonly author: Person;
  readonly known: ReadonlySet<string>;
  /** The team has merged the pull request, and with it the fixes of an author from outside. */
  readonly isMerged: boolean;
};

/** Queries the host once per person. `known` are people who taught before: strangers can't crowd them out. */
export async function decideTeachers(
  signals: readonly PersonSignal[],
  { author, known, isMerged }: DecidedFor,
  people: Pick<People, "hasWriteAccess">,
): Promise<readonly Feedback[]> {
  const reasonFor = (found: TeachingReason, { person, signal }: PersonSignal): TeachingReason => {
    if (person.login !== author.login) return found;
    const isFix = AUTHORS_SIGNALS.has(signal);
    if (found === "write-access") return isFix ? found : "author-with-access";
    return found === "no-write-access" && isFix && isMerged ? "merged" : found;
  };
  const logins = [
    ...new Set(signals.filter(({ person }) => !person.isBot).map(({ person }) => person.login)),
  ].toSorted((one, other) => Number(known.has(other)) - Number(known.has(one)));
  const reasons = new Map<string, TeachingReason>();
  for (const login of logins.slice(0, MAX_LOOKUPS))
    reasons.set(login, (await people.hasWriteAccess(login)) ? "write-access" : "no-write-access");
  return signals.map((signal) => {
    const found = signal.person.isBot ? "bot" : (reasons.get(signal.person.login) ?? "access-unknown");
    const reason = reasonFor(found, signal);
    const teaches = reason === "write-access" || reason === "merged";
    return { ...signal, person: signal.person.login, teaches, reason };
  });
}
