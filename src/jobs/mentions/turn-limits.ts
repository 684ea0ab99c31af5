/**
 * How many answers people get. People with write access get so many a day on a pull request or issue. All others together get as many there
 * in total, and each of them as many an hour in the whole repository. Neither uses up the answers of the other.
 */
import { count } from "../../base/count.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import type { Sql } from "../../store/database.ts";
import type { MentionRecord } from "./mention-record.ts";

export const HOUR_MS = 3_600_000;

export type Asker = {
  readonly record: Pick<MentionRecord, "countOtherTurns">;
  readonly login: string;
  readonly isWriter: boolean;
  readonly nowMs: number;
};

/** A sentence about the limit that is reached, as Markdown; null if there may be another answer. */
export async function findTurnLimit(asker: Asker, maxTurns: number, sql: Sql): Promise<string | null> {
  const { record, login, isWriter, nowMs } = asker;
  const answers = count(maxTurns, "answer");
  const here = { isWriter, sinceMs: isWriter ? nowMs - DAY_MS : 0 };
  if ((await record.countOtherTurns(here, sql)) >= maxTurns)
    return isWriter
      ? `Kodiai has given people with write access ${answers} here within a day, which is the limit (\`mentions.maxTurns\`). Ask again later, or raise it in \`.kodiai.yml\`.`
      : `Kodiai has given people without write access ${answers} here, which is the limit (\`mentions.maxTurns\`). A person with write access can still ask, or raise it in \`.kodiai.yml\`.`;
  if (isWriter) return null;
  return (await record.countOtherTurns({ login, sinceMs: nowMs - HOUR_MS }, sql)) >= maxTurns
    ? `Kodiai has given you ${answers} in this repository within an hour, which is the limit for people without write access (\`mentions.maxTurns\`). Ask again later.`
    : null;
}
