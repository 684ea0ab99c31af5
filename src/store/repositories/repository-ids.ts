/**
 * Our ids of repositories. A host's number is unique on that host only, so every number that comes from a host is exchanged for our id
 * here before anything is stored or queued under it.
 *
 * The app's own host is the one that existed before there were others. Its numbers are its ids, so that a process of an older version,
 * which knows nothing else, works with the same rows. Repositories of other hosts get ids from a range that no such number reaches.
 */
import type { Database, Sql } from "../database.ts";

/** A repository as its host numbers it. */
export type HostedNumber = { readonly host: string; readonly forgeId: number };

export type RepositoryIds = {
  /** Returns the id of the repository, which changes only if its data was deleted. One that is new gets a row. */
  idOf(repository: HostedNumber): Promise<number>;
};

/** GitHub has given out about 2^30 numbers. Ids above it are still exact as JavaScript numbers, up to 2^53. */
export const FIRST_ID_OF_OTHERS = 2 ** 52;

export function createRepositoryIds(database: Database, appHost: string): RepositoryIds {
  // Repositories of the app's host that have a row. Their ids never change. There are as many as the app has repositories.
  const known = new Set<number>();
  return {
    async idOf(repository) {
      const { host, forgeId } = repository;
      if (host === appHost && known.has(forgeId)) return forgeId;
      const id = await findOrAdd(repository, appHost, database);
      if (host === appHost && id === forgeId) known.add(forgeId);
      return id;
    },
  };
}

async function findOrAdd(repository: HostedNumber, appHost: string, database: Database): Promise<number> {
  let id = await findId(repository, database);
  // A round without a result means that another process has taken the id for another repository.
  while (id === null) id = await database.transaction((sql) => addRepository(repository, appHost, sql));
  return id;
}

async function findId({ host, forgeId }: HostedNumber, sql: Sql): Promise<number | null> {
  const [row] = await sql.query<{ id: number }>(
    "select id from repositories where host = $1 and forge_id = $2",
    [host, forgeId],
  );
  return row?.id ?? null;
}

async function addRepository(repository: HostedNumber, appHost: string, sql: Sql): Promise<number | null> {
  const { host, forgeId } = repository;
  const keepsNumber = host === appHost && forgeId < FIRST_ID_OF_OTHERS;
  const id = keepsNumber ? forgeId : await nextIdOfOthers(sql);
  await sql.query(
    "insert into repositories (id, host, forge_id) values ($1, $2, $3) on conflict do nothing",
    [id, host, forgeId],
  );
  // The migration didn't know the host's name, or the server has another name now.
  if (keepsNumber)
    await sql.query("update repositories set host = $2 where id = $1 and host <> $2", [id, host]);
  return findId(repository, sql);
}

async function nextIdOfOthers(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ last: number | null }>(
    "select max(id) as last from repositories where id >= $1",
    [FIRST_ID_OF_OTHERS],
  );
  return (row?.last ?? FIRST_ID_OF_OTHERS - 1) + 1;
}

/** For deleting a repository. An id that isn't a number of the app's host stays taken, but no longer says whose it was. */
export const DELETE_REPOSITORY_ID = [
  `delete from repositories where id = $1 and id < ${FIRST_ID_OF_OTHERS}`,
  `update repositories set host = '', forge_id = -id where id = $1 and id >= ${FIRST_ID_OF_OTHERS}`,
];

/** Returns how the repository's host knows it. One without a row is from an older version, whose ids are the app's host's numbers. */
export async function readHostedNumber(id: number, sql: Sql): Promise<HostedNumber> {
  const [row] = await sql.query<{ host: string; forge_id: number }>(
    "select host, forge_id from repositories where id = $1",
    [id],
  );
  return { host: row?.host ?? "", forgeId: row?.forge_id ?? id };
}

/** SQL for a text that is the same for two ids if their repositories are on the same host. An id without a host is alone. */
export function hostOfId(id: string): string {
  const host = `(select nullif(host, '') from repositories where id = ${id})`;
  return `case when ${id} < ${FIRST_ID_OF_OTHERS} then '' else coalesce(${host}, cast(${id} as text)) end`;
}
