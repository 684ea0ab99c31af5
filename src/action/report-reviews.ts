/** Reports reviews to the runner: annotations, the job summary, outputs, files, and the exit code. */
import { appendFile, mkdtemp, realpath } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import { workflowCommand } from "../base/workflow-command.ts";
import type { CliDeps } from "../cli/command.ts";
import { EXIT, type ExitCode } from "../cli/exit-code.ts";
import type { OutputFormat } from "../review/publication/output-format.ts";
import type { Publication } from "../review/publication/publication.ts";
import { codeSpan } from "../review/publication/render/safe-markdown.ts";
import { isComplete } from "../review/publication/words.ts";
import { composeJobSummary } from "./job-summary.ts";
import { composeOutputs, renderOutputs, type ResultFiles } from "./outputs.ts";
import type { NoCommentsReason, NoReview, Performed, ShownReview } from "./perform-task.ts";
import type { ActionContext } from "./review-range.ts";
import type { WorkflowJob } from "./workflow-job.ts";

const NO_COMMENTS: Readonly<Record<NoCommentsReason, string>> = {
  "read-only-token":
    "There are no comments on the pull request, because the token of this job can't write them. GitHub gives jobs for forks and for Dependabot a token that can only read.",
  "comments-off": "There are no comments on the pull request, because the input `comments` is `none`.",
  "no-pull-request": "There are no comments, because this event belongs to no pull request.",
};

export async function reportReviews(
  { reviews, withoutReview }: Performed,
  { job, inputs }: ActionContext,
  deps: CliDeps,
): Promise<ExitCode> {
  const print = (text: string): void => deps.stdout.write(text);
  for (const each of withoutReview) print(`${describeNoReview(each)}\n`);
  for (const each of reviews) print(await renderLog(each, deps));
  const files = await writeFiles(reviews, { job, wanted: inputs.sarif }, deps);
  const publications = reviews.map(({ publication }) => publication);
  await appendTo(job.summaryFile, await renderSummary({ reviews, withoutReview }, deps));
  await appendTo(
    job.outputFile,
    renderOutputs(composeOutputs(publications, files), `kodiai-${randomUUID()}`),
  );
  if (reviews.some(({ isFailure }) => isFailure)) return EXIT.findings;
  const isGate = inputs.failOn !== null && inputs.failOn !== "none";
  if (publications.every(isComplete)) return EXIT.ok;
  const message = "The review is incomplete. The job summary lists what wasn't checked.";
  print(`${workflowCommand(isGate ? "error" : "warning", { title: "Kodiai" }, message)}\n`);
  // A gate must not open because something couldn't be checked.
  return isGate ? EXIT.incomplete : EXIT.ok;
}

function describeNoReview({ title, reason }: NoReview): string {
  return workflowCommand("notice", { title: "Kodiai" }, `No review (${title}): ${reason}`);
}

/** Findings become annotations only if no comments show them: GitHub shows both at the same lines. */
async function renderLog({ title, publication, noComments }: ShownReview, deps: CliDeps): Promise<string> {
  if (noComments === null)
    return `${workflowCommand("notice", { title: "Kodiai" }, `${title}: ${publication.verdict.headline}`)}\n`;
  const why = workflowCommand("notice", { title: "Kodiai" }, NO_COMMENTS[noComments]);
  return `${await render(publication, "github", deps)}${why}\n`;
}

async function renderSummary({ reviews, withoutReview }: Performed, deps: CliDeps): Promise<string> {
  const reasons = new Set(reviews.flatMap(({ noComments }) => (noComments === null ? [] : [noComments])));
  const notes = [
    ...withoutReview.map(({ title, reason }) => `No review (${codeSpan(title)}): ${codeSpan(reason)}`),
    ...Array.from(reasons, (reason) => NO_COMMENTS[reason]),
  ];
  const sections = [];
  for (const { title, publication } of reviews)
    sections.push({
      heading: reviews.length === 1 ? null : codeSpan(title),
      body: await render(publication, "markdown", deps),
    });
  return composeJobSummary(notes, sections);
}

async function writeFiles(
  reviews: readonly ShownReview[],
  { job, wanted }: { readonly job: WorkflowJob; readonly wanted: string | null },
  deps: CliDeps,
): Promise<ResultFiles> {
  const [only, ...others] = reviews;
  if (only === undefined || others.length > 0) return null;
  const folder = await mkdtemp(join(job.temporaryFolder, "kodiai-review-"));
  const sarif = wanted === null ? join(folder, "kodiai.sarif") : await placeIn(job, wanted);
  const json = join(folder, "kodiai.json");
  const write = async (path: string, format: OutputFormat): Promise<void> =>
    deps.files.writeFile(path, await render(only.publication, format, deps), { overwrite: true });
  await write(sarif, "sarif");
  await write(json, "json");
  return { sarif, json };
}

/** A checkout may contain links, which must not lead the file out of the folders that belong to the job. */
async function placeIn({ workspace, temporaryFolder }: WorkflowJob, wanted: string): Promise<string> {
  const path = resolve(workspace, wanted);
  const folder = await realpath(dirname(path)).catch(() => null);
  const homes = await Promise.all([workspace, temporaryFolder].map((each) => realpath(each)));
  const isInside = (home: string): boolean => {
    const way = folder === null ? ".." : relative(home, folder);
    return !way.startsWith("..") && !isAbsolute(way);
  };
  if (homes.some(isInside)) return path;
  throw new KodiaiError("io", `the file ${printable(wanted)} can't be written`, {
    hint: "The input sarif must name a file in an existing folder of the workspace or of the job's temporary folder.",
  });
}

async function appendTo(path: string | null, text: string): Promise<void> {
  if (path !== null) await appendFile(path, text);
}

async function render(publication: Publication, format: OutputFormat, deps: CliDeps): Promise<string> {
  let rendered = "";
  const forge = await deps.createTerminalForge({
    format,
    color: false,
    width: 80,
    write: async (text) => void (rendered += text),
  });
  await forge.publish(publication);
  return rendered;
}
