/** A deep review that reports findings: the ordinary review, with the pack and the question in its prompt, and more time. */
import { printable } from "../base/printable.ts";
import { composeFindingsFiles } from "../jobs/deep-review/compose-findings-files.ts";
import { watchModels } from "../jobs/model-run/watch-models.ts";
import { describeProgress } from "../jobs/describe-progress.ts";
import { createReviewDeps } from "../jobs/gathering/create-review-deps.ts";
import type { PreparedReview } from "../jobs/gathering/prepared-review.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import { createChangeReview } from "../jobs/review-change.ts";
import type { ReviewProgress } from "../jobs/review-progress.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { AnswerDisplay } from "./answer-display.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { type DeepChoice, type DeepPack, withFlags } from "./deep-review-pack.ts";
import type { ExitCode } from "./exit-code.ts";
import { openPackSource } from "./make-pack.ts";
import type { OutputFolder } from "./output-folder.ts";
import type { Progress } from "./progress.ts";
import { exitCodeOfReview, printReview } from "./print-review.ts";
import { UNKNOWN_AUTHOR } from "./review.ts";

export type DeepFindings = {
  readonly question: string;
  readonly options: ParsedArguments["options"];
  readonly command: Pick<Command, "name">;
  readonly pack: DeepPack & { readonly text: string };
  readonly config: DeepChoice["config"];
  readonly access: ModelAccess;
};

type Shown = {
  readonly folder: OutputFolder;
  readonly display: AnswerDisplay;
  readonly progress: Progress;
};

export async function findWithPack(
  { question, options, command, pack, config, access }: DeepFindings,
  { folder, display, progress }: Shown,
  deps: CliDeps,
): Promise<ExitCode> {
  let thinking = "";
  const watched = watchModels(access, {
    onPiece: (piece) => {
      if (piece.kind !== "thinking") return;
      thinking += piece.delta;
      display.piece(piece);
    },
  });
  const models: ModelAccess = {
    ...watched,
    choice: { ...watched.choice, choose: (values) => watched.choice.choose(withFlags(values, options)) },
  };
  display.stage("reviewing");
  const source = await openPackSource({ options, command }, deps, progress);
  const { repository } = source;
  const reader = await deps.code.openReader(deps.signal);
  try {
    const sources = {
      repository,
      reader,
      analysers: await deps.code.openAnalysers(),
      lookups: deps.lookups({ isOffline: false }),
      readPastBumps: null,
      codeIndex: null,
      now: deps.now,
      signal: deps.signal,
      onProgress: (done: ReviewProgress) => progress.update(describeProgress(done)),
    };
    const { prepare, review } = createChangeReview(createReviewDeps(sources, deps.version));
    const prepared = await prepare({
      change: pack.change ?? source.change,
      givenConfig: null,
      isExplicit: true,
      isFull: true,
      // The user is the operator, so their tags count.
      tags: "all",
      author: UNKNOWN_AUTHOR,
      prior: NO_PRIOR_REVIEW,
      asked: { question, pack: pack.text },
    });
    const { publication, failOn } = await review(
      withTime(prepared, config.deepReview.timeoutSeconds),
      models,
    );
    display.end();
    progress.clear();
    await printReview(publication, options, deps);
    const files = composeFindingsFiles(
      { thinking, report: await renderReport(publication, deps), publication },
      { question, version: deps.version, base: prepared.change.base, head: prepared.change.head },
    );
    for (const [name, text] of files) await folder.write(name, text);
    const kept = [...pack.artifacts.keys(), ...files.keys()].map((name) => `  ${name}\n`).join("");
    deps.stderr.write(`kodiai: kept in ${printable(folder.path)}\n${kept}`);
    return exitCodeOfReview(publication, failOn);
  } finally {
    reader.close();
    repository.close();
  }
}

/** Every pass gets the time of a deep review. */
function withTime(prepared: PreparedReview, seconds: number): PreparedReview {
  const { analysis } = prepared;
  return {
    ...prepared,
    analysis: { ...analysis, passes: analysis.passes.map((pass) => ({ ...pass, seconds })) },
  };
}

/** As Markdown, whatever the format of the output is. */
async function renderReport(publication: Publication, deps: CliDeps): Promise<string> {
  let report = "";
  const forge = await deps.createTerminalForge({
    format: "markdown",
    color: false,
    width: 0,
    write: async (text) => void (report += text),
  });
  await forge.publish(publication);
  return report;
}
