/** The pull requests that Kodiai opened for requests on an issue or pull request. */
import type { Sql } from "../database.ts";

export type ProposalsOf = {
  readonly repositoryId: number;
  /** Where they were asked for. */
  readonly number: number;
  /** The request that is left out. */
  readonly exceptRequest: string;
};

/** Their numbers, the newest first. */
export async function readProposals(
  { repositoryId, number, exceptRequest }: ProposalsOf,
  maxRows: number,
  sql: Sql,
): Promise<readonly number[]> {
  const rows = await sql.query<{ external_id: number }>(
    `select external_id from publications
     where repository_id = $1 and pull_request = $2 and part = 'pull-request' and request <> $3
       and state = 'published' and external_id is not null
     order by updated_at desc limit $4`,
    [repositoryId, number, exceptRequest, maxRows],
  );
  return rows.map(({ external_id }) => external_id);
}
