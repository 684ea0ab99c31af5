/** Fills a store with reviews, findings and figures, fast: a few statements per table, whatever the number of rows. */
import { DAY_MS } from "../../../src/base/day-ms.ts";
import type { Publication } from "../../../src/review/publication/publication.ts";
import { viewReview } from "../../../src/review/publication/review-view.ts";
import type { Database } from "../../../src/store/database.ts";
import { writeReviewView } from "../../../src/store/repositories/review-views.ts";

export type FillRequest = {
  readonly reviews: number;
  readonly findingsPerReview: number;
  readonly repositories: number;
  readonly days: number;
  readonly now: number;
  /** Part of every text. */
  readonly text: string;
};

export type FilledStore = { readonly database: Database; readonly telemetry: Database };

/** The first repository has this id, the next ones follow. */
export const FIRST_REPOSITORY = 100;

/** A statement on PostgreSQL has a time limit. */
const ROWS_AT_ONCE = 100_000;

const series = (count: number, from = 1): string =>
  `with recursive n(i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${count})`;

const severityOf = (i: string): string =>
  `case when ${i} % 17 = 0 then 'critical' when ${i} % 11 = 0 then 'must-fix' when ${i} % 5 = 0 then 'major' when ${i} % 2 = 0 then 'medium' else 'minor' end`;

export async function fillStore(request: FillRequest, { database, telemetry }: FilledStore): Promise<void> {
  const { reviews, findingsPerReview, repositories, days, now, text } = request;
  const repository = `(${FIRST_REPOSITORY} + i % ${repositories})`;
  const startedAt = `(${now} - 60000 - (${reviews} - i) * ${Math.floor((days * DAY_MS) / reviews)})`;
  const name = `'acme/shop-' || (${repository} - ${FIRST_REPOSITORY}) || $1`;
  await database.query(
    `insert into repositories (id, host, forge_id) ${series(repositories)}
     select ${FIRST_REPOSITORY} - 1 + i, 'github.com', ${FIRST_REPOSITORY} - 1 + i from n`,
  );
  await database.query(
    `insert into runs (id, job_id, installation_id, repository_id, repository, pull_request, base, head, triggers, status, reason,
       findings_total, findings_told, started_at, finished_at) ${series(reviews)}
     select i, i, 1, ${repository}, ${name}, i / 3 + 1, 'b', 'head' || i, 'opened',
       case when i % 23 = 0 then 'failed' when i % 9 = 0 then 'partial' when i % 13 = 0 then 'skipped' else 'completed' end,
       case when i % 23 = 0 then 'failed:model' when i % 13 = 0 then 'skipped:draft' else 'published' end,
       ${findingsPerReview} + 2, ${findingsPerReview}, ${startedAt}, ${startedAt} + 20000 + (i * 7919) % 90000 from n`,
    [text],
  );
  const findings = reviews * findingsPerReview;
  for (let from = 1; from <= findings; from += ROWS_AT_ONCE)
    await database.query(
      `insert into findings (identity, number, run_id, repository_id, pull_request, head, path, side, start_line, end_line,
       severity, category, title, rule, source, placement, state, told_at, told_by_run, sources) ${series(Math.min(findings, from + ROWS_AT_ONCE - 1), from)}
     select 'f' || i, i % ${findingsPerReview} + 1, run, ${FIRST_REPOSITORY} + run % ${repositories}, run / 3 + 1, 'head' || run, 'src/module-' || i || '.ts' || $1,
       'new', 10, 12, ${severityOf("i")}, 'correctness', 'Finding ' || i || ' reads past the end of the list' || $1,
       case when i % 3 = 0 then null else 'unchecked-index' end, 'model', 'inline', 'open',
       ${now} - 50000 - (${reviews} - run) * ${Math.floor((days * DAY_MS) / reviews)}, run,
       case when i % 4 = 0 then null else '[{"confidence":0.' || (i % 10) || '}]' end
     from (select i, (i - 1) / ${findingsPerReview} + 1 as run from n) as numbered`,
      [text],
    );
  await database.query(
    `insert into spendings (run_id, installation_id, repository_id, pull_request, author, model, reserved_micro_usd, settled_micro_usd, at)
     ${series(reviews)}
     select i, 1, ${repository}, i / 3 + 1, 'dev', case when i % 3 = 0 then 'anthropic:claude-sonnet-4-5' else 'openai:gpt-5-mini' end,
       90000, 20000 + (i * 31) % 60000, ${startedAt} from n`,
  );
  await telemetry.query(
    `insert into model_runs (job_id, repository, pass, model, step, outcome, stop_reason, turns, input_tokens, cached_input_tokens,
       output_tokens, cost_micro_usd, ms, at, expires_at) ${series(reviews)}
     select i, ${name}, 'review', 'openai:gpt-5-mini', 'full', 'completed', 'finished', 4, 40000 + i % 9000, 12000, 900, 41000,
       15000 + i % 40000, ${startedAt}, ${now + 90 * DAY_MS} from n`,
    [text],
  );
}

/** People have reacted to a tenth of the findings. */
export async function fillOutcomes({ database }: Pick<FilledStore, "database">): Promise<void> {
  await database.query(
    `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity, rule,
       outcome, terms, created_at, updated_at)
     select repository_id, pull_request, identity, 'p', title, 'b', path, 'typescript', category, severity, rule,
       case when id % 30 = 0 then 'dismissed' when id % 70 = 0 then 'ignored' else 'accepted' end, 1, told_at, told_at
     from findings where id % 10 = 0 and told_at is not null`,
  );
}

/** Jobs, memory, bumps, rejections and statistics of the last review: a little of everything that pages show. */
export async function fillRest(
  request: FillRequest,
  publication: Publication,
  store: FilledStore,
): Promise<void> {
  const { database, telemetry } = store;
  const { reviews, now, text } = request;
  const view = viewReview(publication);
  await writeReviewView({ runId: reviews, at: now, body: JSON.stringify(view) }, database);
  const repositoryId = FIRST_REPOSITORY + (reviews % request.repositories);
  const pullRequest = Math.floor(reviews / 3) + 1;
  for (const finding of view.findings)
    await database.query(
      `insert into findings (identity, number, run_id, repository_id, pull_request, head, path, severity, category, title, source,
         placement, state, told_at, told_by_run)
       values ($1, $2, $3, $4, $5, 'h', $6, $7, $8, $9, 'model', 'inline', 'verified', $10, $3)`,
      [
        finding.id,
        finding.number,
        reviews,
        repositoryId,
        pullRequest,
        finding.path,
        finding.severity,
        finding.category,
        finding.title,
        now,
      ],
    );
  for (const [index, state] of ["open", "addressed", "verified"].entries())
    await database.query(
      `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
       values ($1, $2, $3, $4, 'h', $5, 'x', 'kodiai', $6)`,
      [repositoryId, pullRequest, view.findings[0]?.id ?? "", reviews - 2 + index, state, now],
    );
  for (const [index, state] of ["failed", "ready", "done"].entries())
    await database.query(
      `insert into jobs (id, key, kind, lane, job_group, priority, payload, state, due_at, run_at, created_at, attempts, reason, step)
       values ($1, $2, $3, 'review', 'g', 0, '{}', $4, $5, $5, $5, 2, $6, $7)`,
      [900_000_000 + index, `k${index}`, `kind${text}`, state, now - 60_000, `reason${text}`, `step${text}`],
    );
  for (const [index, kind] of ["pattern", "preference", "context"].entries())
    await database.query(
      `insert into learnings (repository_id, source, name, kind, text, paths, confidence_permille, confirmations, uses, last_used_at,
         provenance, owner, created_by, created_at, updated_at)
       values ($1, 'person', $2, $3, $4, $5, 900, 2, 7, $6, null, null, $7, $6, $6)`,
      [
        repositoryId,
        `n${index}`,
        kind,
        `Tests of this team start a real database.${text}`,
        JSON.stringify([`src/**${text}`]),
        now - 5_000,
        `ada${text}`,
      ],
    );
  await database.query(
    `insert into suppressions (repository_id, pattern, title, created_at, expires_at) values ($1, 'p', $2, $3, $4)`,
    [repositoryId, `Missing comment on an exported function${text}`, now - 9_000, now + 9_000_000],
  );
  await database.query(
    `insert into memory_repositories (repository_id, owner, name, is_private, is_sharing, memories, terms, embeddings, updated_at)
     values ($1, 'acme', $2, 1, 0, 3, 3, 'local', 1)`,
    [repositoryId, `shop-0${text}`],
  );
  for (const [index, outcome] of ["accepted", "dismissed", "open"].entries())
    await database.query(
      `insert into memories (repository_id, pull_request, identity, pattern, title, body, path, language, category, severity, rule,
         outcome, terms, created_at, updated_at)
       values ($1, 4, $2, 'p', $3, 'b', $4, 'typescript', 'correctness', 'major', $5, $6, 1, $7, $7)`,
      [
        repositoryId,
        `m${index}`,
        `The list may be empty${text}`,
        `src/a.ts${text}`,
        `rule${text}`,
        outcome,
        now - 5_000,
      ],
    );
  await database.query(
    `insert into bumps (repository_id, pull_request, ecosystem, package, from_version, to_version, head, state, merged_at)
     values ($1, 7, 'npm', $2, $3, '5.0.0', 'h', 'merged', $4)`,
    [repositoryId, `left-pad${text}`, `4.1.2${text}`, now - 7_000],
  );
  await database.query(
    `insert into rejections (reason, day, count, last_at) values ('bad-signature', '2026-01-02', 3, $1)`,
    [now],
  );
  await database.query(
    `insert into deliveries (guid, event, action, repository, bytes, received_at, state, reason)
     values ('g1', 'issues', 'opened', $1, 10, $2, 'ignored', $3)`,
    [`acme/shop${text}`, now - 3_000, `ignored${text}`],
  );
  await database.query(
    `insert into dashboard_audit (at, person, action, target, result, detail) values ($1, $2, 'retry-job', $3, 'done', $4)`,
    [now - 2_000, `ada${text}`, `job 42${text}`, `queued${text}`],
  );
  await telemetry.query(
    `insert into prompt_sections (job_id, pass, section, chars, cut_chars, at, expires_at) values ($1, 'review', $2, 41000, 1200, $3, $3)`,
    [reviews, `diff${text}`, now],
  );
  await telemetry.query(
    `insert into degradations (job_id, repository, what, message, count, at, expires_at) values ($1, null, $2, 'm', 4, $3, $3)`,
    [reviews, `registry${text}`, now],
  );
}
