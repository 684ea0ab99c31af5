/** Finds the finding that a command is about: the one it names, or the one whose thread it is in. */
import { grouped } from "../../../base/count.ts";
import { type LedgerEntry, readStoredFindings } from "../../../store/repositories/stored-findings.ts";
import type { ImmediateDeps, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export type Target =
  | { readonly kind: "finding"; readonly finding: LedgerEntry }
  /** The command names none, and is in the conversation. */
  | { readonly kind: "none"; readonly findings: readonly LedgerEntry[] }
  | { readonly kind: "refused"; readonly result: ImmediateResult };

export async function findTarget(
  number: number | null,
  { mention, session }: Pick<AskedCommand, "mention" | "session">,
  { store }: Pick<ImmediateDeps, "store">,
): Promise<Target> {
  const { repositoryRef, place } = mention;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
  const findings = await readStoredFindings(key, store.database);
  if (number !== null) {
    const finding = findings.find((each) => each.number === number);
    return finding === undefined ? unknownNumber(number, findings) : { kind: "finding", finding };
  }
  if (place.threadRoot === null) return { kind: "none", findings };
  // Only the thread's first comment counts, so no others are read.
  const discussion = await session.comments.readDiscussion(place, 0);
  const finding = findings.find(({ identity }) => identity === discussion?.findingId);
  if (finding !== undefined) return { kind: "finding", finding };
  const body = "This thread isn't about a finding of Kodiai. Name the finding by its number.";
  return { kind: "refused", result: refused("refused:not-our-thread", body) };
}

function unknownNumber(number: number, findings: readonly LedgerEntry[]): Target {
  const last = findings.at(-1);
  const known = last === undefined ? "no findings" : `findings up to ${grouped(last.number)}`;
  const body = `There is no finding ${grouped(number)}: this pull request has ${known}.`;
  return { kind: "refused", result: refused("refused:unknown-finding", body) };
}
