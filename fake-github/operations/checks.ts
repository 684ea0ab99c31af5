/** Check runs on commits. */
import {
  authorOf,
  type Call,
  created,
  type Handler,
  numberIn,
  ok,
  pageOf,
  recordWrite,
  repositoryOf,
  textIn,
  visibleTo,
} from "../call.ts";
import { gitText } from "../git.ts";
import { logAddress } from "../log-storage.ts";
import { isObject, type JsonObject } from "../json.ts";
import { presentAnnotation, presentCheckRun } from "../present/check-run.ts";
import { notFound, refusal } from "../refusal.ts";
import type { CheckAnnotation, CheckRun, PullRequest } from "../world.ts";

async function resolveCommit(call: Call, ref: string): Promise<string | null> {
  // Git needs a process to say that the head of a pull request is a commit.
  if (pullRequestAt(call, ref) !== null) return ref;
  return gitText(
    repositoryOf(call).directory,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${ref}^{commit}`,
  ).catch(() => null);
}

function pullRequestAt(call: Call, commit: string): PullRequest | null {
  const { pullRequests } = call.world;
  return pullRequests.find((each) => each.repository === repositoryOf(call) && each.head === commit) ?? null;
}

/** Applies the fields of the request and keeps the others. A conclusion completes the run. */
function applyBody(call: Call, run: CheckRun): void {
  const { body } = call;
  const now = call.world.clock.now();
  run.name = textIn(body, "name") ?? run.name;
  run.externalId = textIn(body, "external_id") ?? run.externalId;
  run.detailsUrl = textIn(body, "details_url") ?? run.detailsUrl;
  const conclusion = textIn(body, "conclusion");
  const status = textIn(body, "status");
  run.status = conclusion === null ? (status ?? run.status) : "completed";
  if (conclusion !== null) run.conclusion = conclusion;
  if (run.status !== "completed") run.conclusion = null;
  const started = textIn(body, "started_at");
  if (started !== null) run.startedAtMs = Date.parse(started);
  const completed = textIn(body, "completed_at");
  run.completedAtMs = run.status === "completed" ? (completed === null ? now : Date.parse(completed)) : null;
  const { output } = body;
  if (!isObject(output)) return;
  run.output = {
    title: textIn(output, "title") ?? run.output.title,
    summary: textIn(output, "summary"),
    text: textIn(output, "text"),
  };
  // GitHub appends, even if the check has an equal one.
  if (Array.isArray(output["annotations"]))
    run.annotations = [
      ...run.annotations,
      ...output["annotations"].filter(isObject).map((given) => toAnnotation(given, now)),
    ];
}

function toAnnotation(given: JsonObject, createdAtMs: number): CheckAnnotation {
  const level = textIn(given, "annotation_level");
  return {
    path: textIn(given, "path") ?? "",
    startLine: numberIn(given, "start_line") ?? 0,
    endLine: numberIn(given, "end_line") ?? 0,
    level: level === "failure" || level === "warning" ? level : "notice",
    title: textIn(given, "title"),
    message: textIn(given, "message") ?? "",
    createdAtMs,
  };
}

const createCheck: Handler = async (call) => {
  const repository = repositoryOf(call);
  authorOf(call);
  const head = textIn(call.body, "head_sha") ?? "";
  if ((await resolveCommit(call, head)) === null) throw refusal(422, `No commit found for SHA: ${head}`);
  const now = call.world.clock.now();
  const run: CheckRun = {
    id: call.world.nextId(),
    isViaApp: true,
    repository,
    head,
    name: "",
    externalId: "",
    status: "queued",
    conclusion: null,
    detailsUrl: null,
    output: { title: null, summary: null, text: null },
    annotations: [],
    log: null,
    createdAtMs: now,
    startedAtMs: now,
    completedAtMs: null,
  };
  applyBody(call, run);
  call.world.checkRuns.push(run);
  recordWrite(call, { issue: pullRequestAt(call, head), isVisible: true, commit: head });
  return created(await presentCheckRun(call.world, run));
};

function checkOf(call: Call): CheckRun {
  const id = numberIn(call.params, "check_run_id");
  const found = call.world.checkRuns.find((each) => each.id === id && each.repository === repositoryOf(call));
  if (found === undefined) throw notFound();
  return found;
}

const getCheck: Handler = async (call) => ok(await presentCheckRun(call.world, checkOf(call)));

const updateCheck: Handler = async (call) => {
  const run = checkOf(call);
  authorOf(call);
  if (!run.isViaApp) throw refusal(403, "Check run can only be modified by the GitHub App that created it.");
  applyBody(call, run);
  recordWrite(call, { issue: pullRequestAt(call, run.head), isVisible: true, commit: run.head });
  return ok(await presentCheckRun(call.world, run));
};

const listAnnotations: Handler = async (call) => {
  const run = checkOf(call);
  const { items, headers } = pageOf(call, visibleTo(call, run.annotations));
  return ok(
    items.map((each) => presentAnnotation(call.world, run, each)),
    headers,
  );
};

/** By default, only the latest run of each name. */
const listForRef: Handler = async (call) => {
  const repository = repositoryOf(call);
  const head = await resolveCommit(call, textIn(call.params, "ref") ?? "");
  const name = textIn(call.query, "check_name");
  const status = textIn(call.query, "status");
  const appId = numberIn(call.query, "app_id");
  const matching = visibleTo(
    call,
    call.world.checkRuns.filter(
      (each) =>
        each.repository === repository &&
        each.head === head &&
        (name === null || each.name === name) &&
        (status === null || each.status === status) &&
        (appId === null || (appId === call.world.app.id) === each.isViaApp),
    ),
  );
  const isAll = textIn(call.query, "filter") === "all";
  const shown = matching.filter(
    (each) => isAll || matching.findLast(({ name }) => name === each.name) === each,
  );
  const { items, headers } = pageOf(call, shown.toReversed());
  const body = {
    total_count: shown.length,
    check_runs: await Promise.all(items.map((each) => presentCheckRun(call.world, each))),
  };
  return ok(body, headers);
};

/** The check of a job has the id of the job. */
const downloadLog: Handler = (call) => {
  const id = numberIn(call.params, "job_id");
  const repository = repositoryOf(call);
  const run = call.world.checkRuns.find((each) => each.id === id && each.repository === repository);
  if (run === undefined || run.log === null || run.status !== "completed") throw notFound();
  return { status: 302, body: undefined, headers: { location: logAddress(call.world, run.id) } };
};

export const CHECK_OPERATIONS: Readonly<Record<string, Handler>> = {
  "checks/create": createCheck,
  "checks/get": getCheck,
  "checks/update": updateCheck,
  "checks/list-for-ref": listForRef,
  "checks/list-annotations": listAnnotations,
  "actions/download-job-logs-for-workflow-run": downloadLog,
};
