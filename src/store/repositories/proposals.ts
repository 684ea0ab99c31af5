/** The pull requests that Kodiai opened for requests on an issue or pull request, with what each request has kept. */
import type { Sql } from "../database.ts";

export type StoredProposal = {
  /** Of the request. */
  readonly request: string;
  /** Of the pull request that was opened. */
  readonly number: number;
  /** As the mention keeps it; null if it kept nothing. */
  readonly result: string | null;
};

/** The newest ones first. */
export async function readProposals(
  { repositoryId, number }: { readonly repositoryId: number; readonly number: number },
  maxRows: number,
  sql: Sql,
): Promise<readonly StoredProposal[]> {
  const rows = await sql.query<{ request: string; external_id: number; result: string | null }>(
    `select publications.request, publications.external_id, mentions.result
     from publications join mentions on mentions.repository_id = publications.repository_id
       and mentions.number = publications.pull_request and mentions.request = publications.request
     where publications.repository_id = $1 and publications.pull_request = $2 and publications.part = 'pull-request'
       and publications.state = 'published' and publications.external_id is not null
     order by publications.updated_at desc limit $3`,
    [repositoryId, number, maxRows],
  );
  return rows.map(({ request, external_id, result }) => ({ request, number: external_id, result }));
}
