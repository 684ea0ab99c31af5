/** Decides whose signals teach: people with write access, apart from the author of the pull request where their own work is judged. */
import type { People, Person } from "../../forge/forge.ts";
import type { Feedback, FeedbackSignal, TeachingReason } from "../../memory/feedback.ts";
import type { PersonSignal } from "./collect-signals.ts";

/** People who are looked up per job. A pull request has few reviewers; a crowd of strangers must not use up the rate limit. */
const MAX_LOOKUPS = 50;

/** An author who changes the code follows the finding. All other signals of an author are about their own work. */
const AUTHORS_SIGNALS: ReadonlySet<FeedbackSignal> = new Set(["suggestion-committed", "code-changed"]);

/** Queries the host once per person. `known` are people who taught before: strangers can't crowd them out. */
export async function decideTeachers(
  signals: readonly PersonSignal[],
  { author, known }: { readonly author: Person; readonly known: ReadonlySet<string> },
  people: Pick<People, "hasWriteAccess">,
): Promise<readonly Feedback[]> {
  const reasonWithout = ({ person, signal }: PersonSignal): TeachingReason | null => {
    if (person.isBot) return "bot";
    return person.login === author.login && !AUTHORS_SIGNALS.has(signal) ? "author" : null;
  };
  const logins = [
    ...new Set(signals.filter((each) => reasonWithout(each) === null).map(({ person }) => person.login)),
  ].toSorted((one, other) => Number(known.has(other)) - Number(known.has(one)));
  const reasons = new Map<string, TeachingReason>();
  for (const login of logins.slice(0, MAX_LOOKUPS))
    reasons.set(login, (await people.hasWriteAccess(login)) ? "write-access" : "no-write-access");
  return signals.map((signal) => {
    const reason = reasonWithout(signal) ?? reasons.get(signal.person.login) ?? "access-unknown";
    return { ...signal, person: signal.person.login, teaches: reason === "write-access", reason };
  });
}
