/** Asks the host what a person is to the repository, as far as a command needs it. Never trusts the event. */
import type { People } from "../../../forge/forge.ts";
import { gatherMerged } from "../../gathering/gather-author.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { RowStore } from "../../job-store.ts";
import type { CommandClass } from "../command.ts";
import type { MentionJob } from "../mention-job.ts";

/** A failed lookup fails the job, which is retried. */
const STRICT: Pick<Degradations, "optional"> = { optional: (_what, step) => step() };

export async function findClass(
  { requester: { login }, repositoryRef }: Pick<MentionJob, "requester" | "repositoryRef">,
  who: CommandClass,
  people: People,
  { database, now }: RowStore,
): Promise<CommandClass> {
  if (await people.hasWriteAccess(login)) return "writer";
  if (who !== "contributor") return "anyone";
  const merged = await gatherMerged(login, repositoryRef, people, { database, now, degradations: STRICT });
  return (merged ?? 0) > 0 ? "contributor" : "anyone";
}
