/** One repository: whether the app can review its pull requests, and whether it would, and if not, why. */
import { printable } from "../../base/printable.ts";
import type { Installed } from "../../forge/app-inspection.ts";
import type { SkipReason } from "../../jobs/gate-review.ts";
import type {
  PreviewedConfig,
  PreviewedEvent,
  PullRequestPreview,
  RepositoryPreview,
} from "../../jobs/preview-review.ts";
import type { Job } from "../../queue/queue.ts";
import type { Refusal } from "../../model/spending.ts";
import { type AppAccess, inspectApp } from "../app-access.ts";
import type { OpenedRecords, OpenRecords } from "../records-access.ts";
import { type CheckFinding, type DoctorCheck, failure, fine, notChecked, warning } from "../check.ts";
import { judgeInstallation } from "./installations.ts";

export type RepositorySubject = {
  readonly owner: string;
  readonly name: string;
  /** A pull request; null for the repository in general. */
  readonly number: number | null;
};

/** The decision of the gates about the repository or the pull request. */
export type Previewed =
  | ({ readonly of: "pull-request" } & PullRequestPreview)
  | ({ readonly of: "repository" } & RepositoryPreview);

export type LastJob = Pick<Job, "id" | "state" | "reason">;

export type RepositoryDeps = {
  readonly access: AppAccess;
  readonly openRecords: OpenRecords;
  /** All calls share one result. Throws if the host fails. */
  readonly preview: (records: OpenedRecords) => Promise<Previewed>;
  /** The newest job about the subject; null for none. */
  readonly readLastJob: (records: OpenedRecords) => Promise<LastJob | null>;
  /** Why a review is skipped, as the end of a sentence. */
  readonly skipWords: Readonly<Record<SkipReason, string>>;
};

/** Fetching a large repository for the first time takes minutes. */
const FETCH_LIMIT_MS = 10 * 60_000;

export function createRepositoryChecks(
  subject: RepositorySubject,
  deps: RepositoryDeps,
): readonly DoctorCheck[] {
  const { owner, name, number } = subject;
  const title = `${owner}/${name}`;
  let found: Promise<Installed | null> | null = null;
  const findInstalled = (
    what: string,
    check: (installed: Installed | null) => Promise<readonly CheckFinding[]>,
  ): Promise<readonly CheckFinding[]> =>
    inspectApp(deps.access, `${what} of ${title}`, async (inspection) =>
      check(await (found ??= inspection.findInstallation(owner, name))),
    );
  /** For checks that read the repository and the records. */
  const withRecords = (
    what: string,
    check: (records: OpenedRecords) => Promise<readonly CheckFinding[]>,
  ): Promise<readonly CheckFinding[]> =>
    findInstalled(what, async (installed) => {
      if (installed === null || installed.isSuspended)
        return [notChecked(`${what} of ${title}: the app has no access to it.`)];
      const opened = await deps.openRecords(`${what} of ${title}`);
      return opened.kind === "closed" ? opened.findings : check(opened.records);
    });
  const previewed = (what: string, judge: (preview: Previewed) => readonly CheckFinding[]) =>
    withRecords(what, async (records) => judge(await deps.preview(records)));
  const reviews = number === null ? "Reviews" : `The review of pull request ${number}`;
  return [
    {
      name: "repository",
      run: () => findInstalled("The installation", async (installed) => judgeAccess(installed, title)),
    },
    {
      name: "configuration",
      limitMs: FETCH_LIMIT_MS,
      run: () => previewed("The configuration", judgeConfiguration),
    },
    {
      name: "review",
      limitMs: FETCH_LIMIT_MS,
      run: () => previewed(reviews, (preview) => judgeReview(preview, deps.skipWords)),
    },
    { name: "budget", limitMs: FETCH_LIMIT_MS, run: () => previewed("The budget", judgeBudget) },
    {
      name: "jobs",
      run: () =>
        withRecords("The last job", async (records) => [
          judgeLastJob(await deps.readLastJob(records), subject),
        ]),
    },
  ];
}

function judgeAccess(installed: Installed | null, title: string): readonly CheckFinding[] {
  if (installed === null)
    return [
      failure("repository-not-installed", {
        what: `The app isn't installed on ${title}, or there is no such repository.`,
        remedy: "Add the repository in the settings of the installation.",
      }),
    ];
  const problems = judgeInstallation(installed, new Set());
  return problems.length > 0 ? problems : [fine(`The app is installed on ${title}.`)];
}

function configOf(preview: Previewed): PreviewedConfig | null {
  return preview.of === "pull-request" && preview.kind === "closed" ? null : preview.config;
}

function judgeConfiguration(preview: Previewed): readonly CheckFinding[] {
  const config = configOf(preview);
  if (config === null) return [notChecked("The configuration: the pull request is closed.")];
  const { origin, problems } = config;
  if (problems.length === 0) return [fine(`The configuration is valid: ${printable(origin)}.`)];
  return problems.map(({ severity, file, line, message }) =>
    (severity === "error" ? failure : warning)("configuration-invalid", {
      what: printable(`${file}${line === null ? "" : `:${line}`}: ${message}`),
      remedy: "Correct the file on the base branch. Until then, defaults replace invalid values.",
    }),
  );
}

function judgeReview(preview: Previewed, words: RepositoryDeps["skipWords"]): readonly CheckFinding[] {
  if (preview.of === "repository") return judgeEvents(preview, words);
  if (preview.kind === "closed") return [fine("The pull request is closed, so it isn't reviewed any more.")];
  const { skip, pause } = preview;
  if (skip === null) return [fine("The pull request would be reviewed now.")];
  if (skip === "skipped:already-reviewed")
    return [fine("The newest commit of the pull request has been reviewed. The next push is reviewed.")];
  const why =
    skip === "skipped:paused" && pause !== null ? `${printable(pause.login)} paused reviews` : words[skip];
  return [
    warning("review-skipped", {
      what: `The pull request wouldn't be reviewed by itself: ${why}.`,
      remedy: `Request a review in a comment, or change what holds it back (${skip}).`,
    }),
  ];
}

const EVENT_WORDS: Readonly<Record<PreviewedEvent, string>> = {
  opened: "when it's opened",
  synchronize: "when commits are pushed to it",
  "ready-for-review": "when a draft becomes ready",
};

function judgeEvents(
  { skips, review }: RepositoryPreview,
  words: RepositoryDeps["skipWords"],
): readonly CheckFinding[] {
  // The keys of the table.
  const events = Object.keys(EVENT_WORDS) as readonly PreviewedEvent[];
  const reviewed = events.filter((event) => skips[event] === null);
  const exceptions = [
    ...(review.drafts ? [] : ["drafts"]),
    ...(review.skipAuthors.length === 0 ? [] : [`those of ${review.skipAuthors.map(printable).join(", ")}`]),
    ...(review.skipPaths.length === 0
      ? []
      : [`those with only files in ${review.skipPaths.map(printable).join(", ")}`]),
  ];
  const but = exceptions.length === 0 ? "" : `, except ${exceptions.join(" and ")}`;
  return [
    ...(reviewed.length === 0
      ? []
      : [
          fine(`A pull request is reviewed ${reviewed.map((event) => EVENT_WORDS[event]).join(", ")}${but}.`),
        ]),
    ...events.flatMap((event) => {
      const skip = skips[event];
      if (skip === null) return [];
      return [
        warning("review-skipped", {
          what: `A pull request isn't reviewed ${EVENT_WORDS[event]}: ${words[skip]}.`,
          remedy: `Change the configuration, or request reviews in comments (${skip}).`,
        }),
      ];
    }),
  ];
}

function judgeBudget(preview: Previewed): readonly CheckFinding[] {
  if (preview.of === "repository" || preview.kind === "closed")
    return [notChecked("Budgets: pass --pr with an open pull request.")];
  const { usedUp } = preview;
  return [usedUp === null ? fine("No budget for models is used up.") : describeUsedUp(usedUp)];
}

function describeUsedUp({ budget, limitUsd, spentUsd }: Refusal): CheckFinding {
  return warning("budget-used-up", {
    what: `The budget ${budget} is used up: USD ${spentUsd.toFixed(2)} of USD ${limitUsd.toFixed(2)} are spent or reserved.`,
    remedy:
      "Wait until its window has passed, or raise it. Until then, only built-in rules and linters review.",
  });
}

function judgeLastJob(job: LastJob | null, { number }: RepositorySubject): CheckFinding {
  const about = number === null ? "the repository" : "the pull request";
  if (job === null) return fine(`There is no job about ${about} yet.`);
  const { id, state, reason } = job;
  const last = `The last job about ${about}, number ${id}, is ${state}${reason === null ? "" : ` (${reason})`}.`;
  if (state !== "failed") return fine(last);
  return warning("job-failed", {
    what: last,
    remedy: `Run \`kodiai jobs show ${id}\`; after a fix, \`kodiai jobs retry ${id}\`.`,
  });
}
