/** Dependency bumps of pull requests: open until the pull request is merged or closed, and perhaps reverted later. */
import type { Row, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";

export type PackageKey = { readonly ecosystem: string; readonly name: string };

export type Bump = PackageKey & { readonly from: string; readonly to: string };

/** The facts that a review found about a bump. */
export type BumpFacts = {
  /** "low: a breaking version" */
  readonly confidence: string;
  /** Null when no database of advisories answered. */
  readonly advisories: readonly BumpAdvisory[] | null;
};

export type BumpAdvisory = {
  readonly id: string;
  readonly url: string | null;
  readonly severity: string;
  /** The effect of the bump: "fixed", "still-affecting" or "introduced". */
  readonly fate: string;
};

export type MergedBump = Bump & {
  readonly pullRequest: number;
  /** Milliseconds since 1970, like `revertedAt`. */
  readonly mergedAt: number;
  /** Null when it is still in place. */
  readonly revertedAt: number | null;
};

export type BumpScope = { readonly repositoryId: number; readonly pullRequest: number };

/** Replaces the bumps of a pull request, because a push can change them. Those that are merged stay. */
export async function writeBumps(
  bumps: readonly (Bump & BumpFacts)[],
  { repositoryId, pullRequest, head }: BumpScope & { readonly head: string },
  sql: Sql,
): Promise<void> {
  await sql.query("delete from bumps where repository_id = $1 and pull_request = $2 and state <> 'merged'", [
    repositoryId,
    pullRequest,
  ]);
  await inBatches(bumps, (batch) =>
    sql.query(
      `insert into bumps (repository_id, pull_request, ecosystem, package, from_version, to_version, head, state,
         confidence, advisories)
       values ${rowsOf(batch.length, 10)} on conflict do nothing`,
      batch.flatMap(({ ecosystem, name, from, to, confidence, advisories }) => [
        repositoryId,
        pullRequest,
        ecosystem,
        name,
        from,
        to,
        head,
        "open",
        confidence,
        advisories === null ? null : JSON.stringify(advisories),
      ]),
    ),
  );
}

export async function hasBumps(repositoryId: number, sql: Sql): Promise<boolean> {
  const rows = await sql.query("select 1 as one from bumps where repository_id = $1 limit 1", [repositoryId]);
  return rows.length > 0;
}

/** Records the end of a pull request; `mergedAt` is null if it was closed. Returns its bumps. */
export async function settleBumps(
  { repositoryId, pullRequest }: BumpScope,
  mergedAt: number | null,
  sql: Sql,
): Promise<readonly Bump[]> {
  const rows = await sql.query(
    `update bumps set state = $3, merged_at = $4
     where repository_id = $1 and pull_request = $2 and state <> 'merged'
     returning ecosystem, package, from_version, to_version`,
    [repositoryId, pullRequest, mergedAt === null ? "closed" : "merged", mergedAt],
  );
  return rows.map(toBump);
}

/** The newest merged bumps of each package, newest first. */
export async function readMergedBumps(
  packages: readonly PackageKey[],
  { repositoryId, limit }: { readonly repositoryId: number; readonly limit: number },
  sql: Sql,
): Promise<readonly MergedBump[]> {
  const distinct = new Map(packages.map((each) => [`${each.ecosystem} ${each.name}`, each]));
  const rows = await inBatches([...distinct.values()], (batch) =>
    sql.query(
      `select * from (
         select ecosystem, package, from_version, to_version, pull_request, merged_at, reverted_at,
           row_number() over (partition by ecosystem, package order by merged_at desc, pull_request desc, to_version) as place
         from bumps
         where repository_id = $1 and state = 'merged' and (${batch
           .map((_, index) => `(ecosystem = $${2 * index + 3} and package = $${2 * index + 4})`)
           .join(" or ")})
       ) as ranked where place <= $2 order by ecosystem, package, place`,
      [repositoryId, limit, ...batch.flatMap(({ ecosystem, name }) => [ecosystem, name])],
    ),
  );
  return rows.map((row) => ({
    ...toBump(row),
    pullRequest: row["pull_request"] as number,
    mergedAt: row["merged_at"] as number,
    revertedAt: row["reverted_at"] as number | null,
  }));
}

/** Marks merged bumps of a pull request as reverted: one of them, or all. An earlier mark stays. */
export async function markReverted(
  { repositoryId, pullRequest }: BumpScope,
  { bump, at }: { readonly bump: Bump | null; readonly at: number },
  sql: Sql,
): Promise<void> {
  const merged =
    "where repository_id = $1 and pull_request = $2 and state = 'merged' and reverted_at is null";
  const one = "and ecosystem = $4 and package = $5 and from_version = $6 and to_version = $7";
  await sql.query(`update bumps set reverted_at = $3 ${merged} ${bump === null ? "" : one}`, [
    repositoryId,
    pullRequest,
    at,
    ...(bump === null ? [] : [bump.ecosystem, bump.name, bump.from, bump.to]),
  ]);
}

/** Each `as` names the type its column has in the migrations. */
function toBump(row: Row): Bump {
  return {
    ecosystem: row["ecosystem"] as string,
    name: row["package"] as string,
    from: row["from_version"] as string,
    to: row["to_version"] as string,
  };
}

export type ListedBump = Bump & {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly state: string;
  readonly mergedAt: number | null;
  readonly revertedAt: number | null;
  /** Null for one that a version before these were stored has seen. */
  readonly facts: BumpFacts | null;
};

/** Bumps that a reader may read, of the latest pull requests first. */
export async function listBumps(
  {
    readable,
    repositoryId,
    limit,
  }: {
    readonly readable: ReadableRepositories;
    readonly repositoryId: number | null;
    readonly limit: number;
  },
  sql: Sql,
): Promise<readonly ListedBump[]> {
  const { params, value, add, where, readable: addReadable } = createConditions();
  addReadable("repository_id", readable);
  if (repositoryId !== null) add(`repository_id = ${value(repositoryId)}`);
  const rows = await sql.query(
    `select * from bumps where ${where()}
     order by pull_request desc, repository_id, ecosystem, package, to_version limit ${value(limit)}`,
    params,
  );
  return rows.map((row) => ({
    ...toBump(row),
    repositoryId: row["repository_id"] as number,
    pullRequest: row["pull_request"] as number,
    state: row["state"] as string,
    mergedAt: row["merged_at"] as number | null,
    revertedAt: row["reverted_at"] as number | null,
    facts: toFacts(row),
  }));
}

/** Only `writeBumps` writes these columns. */
function toFacts(row: Row): BumpFacts | null {
  const [confidence, advisories] = [row["confidence"], row["advisories"]];
  if (typeof confidence !== "string") return null;
  return {
    confidence,
    advisories: typeof advisories === "string" ? (JSON.parse(advisories) as readonly BumpAdvisory[]) : null,
  };
}
