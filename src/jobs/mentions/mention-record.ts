/**
 * The record of a mention, from its acknowledgement to its outcome. No other module of the program reads or writes the rows of mentions, so
 * a mention is claimed, counted and ended here.
 */
import type { Sql } from "../../store/database.ts";
import {
  claimMention,
  countOtherTurns,
  countTurn,
  endMention,
  lockMention,
  type MentionRow,
  MUTED,
  readStanding,
  recordClass,
  saveResult,
  type TurnsOf,
} from "../../store/repositories/mentions.ts";
import type { RowStore } from "../job-store.ts";
import type { MentionJob } from "./mention-job.ts";

/** As it was when the job claimed it. Operations with `sql` are part of a transaction if one is given. */
export type MentionRecord = Pick<MentionRow, "requesterClass" | "outcome" | "isTurn" | "result"> & {
  /** Records the class of the author of a mention that another job answers, or that gets no answer that counts. */
  noteClass(requesterClass: string, sql: Sql): Promise<void>;
  /** Marks the mention as an answer that counts, with the class of its author. */
  countTurn(requesterClass: string, sql: Sql): Promise<void>;
  /** How many other mentions count as answers. */
  countOtherTurns(of: TurnsOf, sql?: Sql): Promise<number>;
  /** How many mentions of its author since then were refused where they could see it, and how many others are open. */
  readStanding(sinceMs: number): Promise<{ readonly refused: number; readonly open: number }>;
  /** Keeps other workers from writing the mention until the transaction ends, and returns its state. */
  lock(sql: Sql): Promise<Pick<MentionRow, "result" | "outcome">>;
  /** Keeps what a command has worked out. The first result stays. */
  keep(result: string, sql?: Sql): Promise<void>;
  /** Ends the mention without an answer or a reaction, and returns that outcome. */
  mute(): Promise<string>;
  /** Ends the mention. The first outcome stays. */
  end(outcome: string, sql?: Sql): Promise<void>;
};

/** A mention that is there stays as it is. */
export async function claimMentionRecord(
  { repositoryRef, place, requestId, requester, command }: MentionJob,
  { database, now }: RowStore,
): Promise<MentionRecord> {
  const { login } = requester;
  const key = { repositoryId: repositoryRef.repositoryId, number: place.number, request: requestId };
  const row = await claimMention({ ...key, login, command: command.kind, at: now() }, database);
  const { requesterClass, outcome, isTurn, result } = row;
  const end: MentionRecord["end"] = (ending, sql = database) =>
    endMention(key, { outcome: ending, at: now() }, sql);
  return {
    requesterClass,
    outcome,
    isTurn,
    result,
    noteClass: (found, sql) => recordClass({ ...key, requesterClass: found }, sql),
    countTurn: (found, sql) => countTurn({ ...key, requesterClass: found }, sql),
    countOtherTurns: (of, sql = database) => countOtherTurns(key, of, sql),
    readStanding: (sinceMs) => readStanding(key, { login, sinceMs }, database),
    lock: (sql) => lockMention(key, sql),
    keep: (kept, sql = database) => saveResult(key, kept, sql),
    async mute() {
      await end(MUTED);
      return MUTED;
    },
    end,
  } satisfies MentionRecord;
}
