/**
 * Reads the checks of other apps on a commit. Only the write token has access to checks, and by this time the app's own check
 * was written with it. Logs need a token of their own.
 */
import type { CheckLog, CheckReport } from "../../review/context/check-report.ts";
import type { GithubClient } from "./github-client.ts";
import { isOwnCheck, type OwnAccount } from "./own-account.ts";
import type { RepositoryName } from "./session-tokens.ts";
import { PAGE_SIZE } from "./repository-calls.ts";

export type ReadChecksDeps = {
  readonly client: GithubClient;
  readonly name: () => Promise<RepositoryName>;
  readonly own: () => Promise<OwnAccount>;
  readonly readJobLog: (jobId: number) => Promise<CheckLog>;
};

/** The app whose checks are jobs with logs. */
const ACTIONS_SLUG = "github-actions";

/** More failed jobs than this are usually one job on many platforms, and each log is a download. */
const MAX_LOGS = 3;

const MAX_CHECKS = 30;

/** More failed checks than this usually share a cause, and each costs a call. */
const MAX_ANNOTATED = 10;

const MAX_ANNOTATIONS = 10;

const MAX_SUMMARY_CHARS = 2_000;

/** Of the details. Where they are a log, its end has the error. */
const MAX_DETAILS_CHARS = 1_500;

const MAX_NAME_CHARS = 200;

const FAILED: ReadonlySet<string> = new Set(["failure", "timed_out", "startup_failure", "action_required"]);

/** Conclusions without useful details. */
const CALM: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

type Check = {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly text: string;
  /** The end of the details. */
  readonly details: string;
  readonly hasAnnotations: boolean;
  /** A job of GitHub Actions, whose id is also that of its check. */
  readonly isJob: boolean;
};

export async function readChecks(head: string, deps: ReadChecksDeps): Promise<readonly CheckReport[]> {
  const checks = (await listChecks(head, deps)).toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_CHECKS);
  const annotated = checks
    .filter(({ state, hasAnnotations }) => FAILED.has(state) && hasAnnotations)
    .slice(0, MAX_ANNOTATED);
  const places = new Map<number, string>();
  for (const { id } of annotated) places.set(id, await readAnnotations(id, deps));
  const logs = new Map<number, CheckLog>();
  for (const { id } of checks.filter(({ state, isJob }) => FAILED.has(state) && isJob).slice(0, MAX_LOGS))
    logs.set(id, await deps.readJobLog(id));
  return checks.map(({ id, name, state, text, details }) => {
    // Failed locations come first, because they must not be cut off.
    const summary = [places.get(id) ?? "", text].filter(Boolean).join("\n").slice(0, MAX_SUMMARY_CHARS);
    const end = FAILED.has(state) ? details : "";
    const log = logs.get(id);
    return {
      name: name.slice(0, MAX_NAME_CHARS),
      state,
      summary: [summary, end].filter(Boolean).join("\n"),
      ...(log !== undefined && { log }),
    };
  });
}

function rank({ state }: Check): number {
  if (FAILED.has(state)) return 0;
  return CALM.has(state) ? 2 : 1;
}

/** Returns the latest check of each name, without the app's own. */
async function listChecks(head: string, { client, name, own }: ReadChecksDeps): Promise<readonly Check[]> {
  const account = await own();
  const { data } = await client.request("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
    ...(await name()),
    ref: head,
    filter: "latest",
    per_page: PAGE_SIZE,
  });
  return data.check_runs
    .filter((check) => !isOwnCheck(check, account))
    .map((check) => ({
      id: Number(check.id),
      name: check.name,
      state: check.conclusion ?? check.status,
      text: [check.output.title, check.output.summary].filter(Boolean).join("\n"),
      details: (check.output.text ?? "").slice(-MAX_DETAILS_CHARS).toWellFormed(),
      hasAnnotations: check.output.annotations_count > 0,
      isJob: check.app?.slug === ACTIONS_SLUG,
    }));
}

/** Formats annotations as `src/a.ts:12: the message`, one per line. */
async function readAnnotations(checkId: number, { client, name }: ReadChecksDeps): Promise<string> {
  const { data } = await client.request("GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", {
    ...(await name()),
    check_run_id: checkId,
    per_page: MAX_ANNOTATIONS,
  });
  return data
    .map(({ path, start_line: line, title, message }) =>
      [`${path}:${line}`, title, message?.replaceAll(/\s*\n\s*/g, " ")].filter(Boolean).join(": "),
    )
    .join("\n");
}
