/** Learnings of a repository: statements about how its team works, which people, feedback or the code itself gave. */
import type { Row, Sql } from "../database.ts";
import { inBatches } from "../many-rows.ts";
import { type ForgettableItem, withoutForgotten } from "./forgotten.ts";

export type NewLearning = {
  readonly repositoryId: number;
  /** Those of `.kodiai/learnings.yml` are read from the base and never stored. */
  readonly source: "feedback" | "analysis" | "person";
  /** Unique for its source: the pattern of a feedback learning; see memory/pattern-of.ts. */
  readonly name: string;
  readonly kind: "pattern" | "preference" | "context";
  readonly text: string;
  /** Globs; empty for all files. */
  readonly paths: readonly string[];
  /** 0 to 1. It is kept to three decimals. */
  readonly confidence: number;
  /** How often it was seen. */
  readonly confirmations: number;
  readonly provenance: string | null;
  readonly owner: string | null;
  /** A login, or "kodiai". */
  readonly createdBy: string;
  /** Milliseconds since 1970; null if it doesn't expire. */
  readonly expiresAt: number | null;
  readonly at: number;
};

export type StoredLearning = Omit<NewLearning, "at"> & {
  readonly id: number;
  readonly uses: number;
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/**
 * Inserts a learning, or updates the one with this source and name, which keeps its uses, its creator and its time of creation. One
 * that a person made Kodiai forget isn't written, unless a person adds it again. Returns its id, or null if it wasn't written.
 */
export async function putLearning(learning: NewLearning, sql: Sql): Promise<number | null> {
  const { repositoryId, source } = learning;
  if (await isForgotten(learning, sql)) return null;
  const updates = [
    "kind",
    "text",
    "paths",
    "confidence_permille",
    "confirmations",
    "provenance",
    "owner",
    "updated_at",
    "expires_at",
  ];
  const [row] = await sql.query<{ id: number }>(
    `insert into learnings (repository_id, source, name, kind, text, paths, confidence_permille, confirmations, uses,
       provenance, owner, created_by, created_at, updated_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, $12, $12, $13)
     on conflict (repository_id, source, name) do update set
       ${updates.map((column) => `${column} = excluded.${column}`).join(", ")} returning id`,
    [
      repositoryId,
      source,
      learning.name,
      learning.kind,
      learning.text,
      JSON.stringify(learning.paths),
      toPermille(learning.confidence),
      learning.confirmations,
      learning.provenance,
      learning.owner,
      learning.createdBy,
      learning.at,
      learning.expiresAt,
    ],
  );
  return row?.id ?? null;
}

/** True for a learning of a review that a person made Kodiai forget. Only a person can bring back a learning of a person. */
export async function isForgotten(
  { repositoryId, source, name }: Pick<NewLearning, "repositoryId" | "source" | "name">,
  sql: Sql,
): Promise<boolean> {
  if (source === "person") return false;
  const toItem = (): ForgettableItem => ({ kind: "learning", source, name });
  return (await withoutForgotten(repositoryId, [name], { toItem, sql })).length === 0;
}

/** Those that haven't expired, most certain first, then the most recently and most often used. */
export async function listLearnings(
  repositoryId: number,
  now: number,
  sql: Sql,
): Promise<readonly StoredLearning[]> {
  const rows = await sql.query(
    `select * from learnings where repository_id = $1 and (expires_at is null or expires_at > $2)
     order by confidence_permille desc, coalesce(last_used_at, 0) desc, uses desc, id`,
    [repositoryId, now],
  );
  return rows.map(toLearning);
}

/** Expired ones too. */
export async function readLearning(id: number, sql: Sql): Promise<StoredLearning | null> {
  const [row] = await sql.query("select * from learnings where id = $1", [id]);
  return row === undefined ? null : toLearning(row);
}

/** Counts one use of each. */
export async function countUse(ids: readonly number[], at: number, sql: Sql): Promise<void> {
  // In the order of ids, so that two reviews can't wait for each other.
  await inBatches(
    [...new Set(ids)].toSorted((a, b) => a - b),
    (batch) =>
      sql.query(
        `update learnings set uses = uses + 1, last_used_at = $1
       where id in (${batch.map((_, index) => `$${index + 2}`).join(", ")})`,
        [at, ...batch],
      ),
  );
}

export type LearningChange = Partial<
  Pick<NewLearning, "kind" | "text" | "paths" | "confidence" | "provenance" | "owner" | "expiresAt">
>;

/** Changes the given fields only. False if there is no such learning. */
export async function updateLearning(
  id: number,
  { at, ...change }: LearningChange & { readonly at: number },
  sql: Sql,
): Promise<boolean> {
  const columns = [
    ["kind", change.kind],
    ["text", change.text],
    ["paths", change.paths === undefined ? undefined : JSON.stringify(change.paths)],
    ["confidence_permille", change.confidence === undefined ? undefined : toPermille(change.confidence)],
    ["provenance", change.provenance],
    ["owner", change.owner],
    ["expires_at", change.expiresAt],
    ["updated_at", at],
  ] as const;
  const given = columns.flatMap(([column, value]) => (value === undefined ? [] : [{ column, value }]));
  const rows = await sql.query(
    `update learnings set ${given.map(({ column }, index) => `${column} = $${index + 2}`).join(", ")}
     where id = $1 returning id`,
    [id, ...given.map(({ value }) => value)],
  );
  return rows.length > 0;
}

export async function deleteLearning(id: number, sql: Sql): Promise<void> {
  await sql.query("delete from learnings where id = $1", [id]);
}

function toPermille(confidence: number): number {
  return Math.round(Math.min(1, Math.max(0, confidence)) * 1_000);
}

/** Each `as` names the type its column has in the migrations. */
export function toLearning(row: Row): StoredLearning {
  return {
    id: row["id"] as number,
    repositoryId: row["repository_id"] as number,
    source: row["source"] as StoredLearning["source"],
    name: row["name"] as string,
    kind: row["kind"] as StoredLearning["kind"],
    text: row["text"] as string,
    paths: JSON.parse(row["paths"] as string) as readonly string[],
    confidence: (row["confidence_permille"] as number) / 1_000,
    confirmations: row["confirmations"] as number,
    uses: row["uses"] as number,
    lastUsedAt: row["last_used_at"] as number | null,
    provenance: row["provenance"] as string | null,
    owner: row["owner"] as string | null,
    createdBy: row["created_by"] as string,
    createdAt: row["created_at"] as number,
    updatedAt: row["updated_at"] as number,
    expiresAt: row["expires_at"] as number | null,
  };
}
