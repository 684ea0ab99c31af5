/** Asks the host what a person is to the repository, as far as a command needs it. Never trusts the event. */
import type { ForgeSession, Person } from "../../../forge/forge.ts";
import type { Database } from "../../../store/database.ts";
import { gatherMerged } from "../../gathering/gather-author.ts";
import type { Degradations } from "../../gathering/optional.ts";
import type { CommandClass } from "../command.ts";
import type { MentionJob } from "../mention-job.ts";

/** A failed lookup fails the job, which is retried. */
const STRICT: Pick<Degradations, "optional"> = { optional: (_what, step) => step() };

export async function findClass(
  person: Person,
  who: CommandClass,
  deps: {
    readonly mention: Pick<MentionJob, "repositoryRef">;
    readonly session: ForgeSession;
    readonly database: Database;
    readonly now: () => number;
  },
): Promise<CommandClass> {
  const { mention, session } = deps;
  if (await session.hasWriteAccess(person.login)) return "writer";
  if (who !== "contributor") return "anyone";
  const merged = await gatherMerged(person.login, mention.repositoryRef, session, {
    ...deps,
    degradations: STRICT,
  });
  return (merged ?? 0) > 0 ? "contributor" : "anyone";
}
