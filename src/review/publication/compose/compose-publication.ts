/**
 * Everything that a review reports about a change, put together as one value. It orders and frames the findings that
 * judging kept; it never keeps or drops a finding itself.
 */
import { adviseNoModel, describeNoModel } from "./describe-no-model.ts";
import type { ConfigProblem } from "../../../config/repo-config/repo-config.ts";
import { severityRank } from "../../../base/severity.ts";
import type { Analysis } from "../../analysis/analysis.ts";
import type { DependencyReport } from "../../../ecosystems/dependency-report.ts";
import type { Change, ChangedFile } from "../../change/change.ts";
import type { PriorFinding } from "../../context/prior-review.ts";
import type { Anchor, JudgedFinding } from "../../findings/finding.ts";
import type { Judgement } from "../../findings/judge-findings.ts";
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import { composeFrame, headLineOf, showsAnchor } from "./compose-frame.ts";
import { composeOverview } from "./compose-overview.ts";
import { composeContents } from "./compose-contents.ts";
import { composeReceipt } from "./compose-receipt.ts";
import { composeVerdict } from "./compose-verdict.ts";
import { maskFound, maskFrame, secretPlaces } from "./mask-findings.ts";
import type {
  Degradation,
  MemoryReport,
  OpenFinding,
  Publication,
  PublishedFinding,
} from "../publication.ts";
import type { Scope } from "../../change/scope.ts";
import type { Settled } from "../../findings/settle-prior.ts";
import type { Reviewed } from "../reviewed.ts";
import { compareOpen } from "../words.ts";
import { summarisePasses } from "./summarise-passes.ts";

export type PublicationInput = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly reviewed: Reviewed;
  readonly judgement: Pick<Judgement, "judged" | "dropped">;
  readonly earlier: EarlierReviews;
  readonly context: ShownContext;
  readonly degradations: readonly Degradation[];
  readonly origin: PublicationOrigin;
};

/** The results of earlier reviews of the change, and what became of their findings. */
export type EarlierReviews = {
  readonly prior: { readonly findings: readonly Pick<PriorFinding, "number">[] };
  readonly scope: Scope;
  readonly settled: Pick<Settled, "stillOpen" | "hidden" | "resolved">;
};

/** The part of the context that readers of a review see. */
export type ShownContext = {
  /** Null when the change touches no dependency. */
  readonly dependencies: DependencyReport | null;
  readonly memory: MemoryReport;
};

/** The configuration and the program that made the review. */
export type PublicationOrigin = {
  readonly config: { readonly origin: string; readonly problems: readonly ConfigProblem[] };
  /** Notes about the settings, shown after the notes of the change. */
  readonly notes: readonly string[];
  readonly version: string;
  /** See `Publication`. */
  readonly rulesUrl: string | null;
};

export function composePublication(input: PublicationInput): Publication {
  const { change, analysis, reviewed, judgement, earlier, context, degradations, origin } = input;
  const { passes } = reviewed;
  const { scope, settled } = earlier;
  const { hidden, resolved } = settled;
  const { reviewer, usage, conclusion, notices, advice } = summarisePasses(passes, reviewed.cutOffUsd);
  const receipt = composeReceipt(change.files, analysis, reviewed.coverage, scope);
  const { findings, open, dropped } = publishAll(change, judgement, earlier);
  const [answered, stillOpen] = splitAnswered(open);
  return {
    verdict: composeVerdict({
      change: { ...change, isEmpty: change.files.length === 0 },
      skippedBecause: analysis.skippedBecause,
      findings,
      dropped: judgement.dropped,
      stillOpen,
      answered,
      hidden,
      resolved,
      scope,
      receipt,
      degradations,
      reviewer,
      rulesRun: reviewed.rules.size,
      conclusion,
    }),
    overview: composeOverview(reviewed.overview),
    change: {
      kind: change.kind,
      description: change.description,
      title: maskSecrets(change.title),
      base: change.base,
      head: change.head,
      notes: [...change.notes, ...origin.notes],
      contents: composeContents(change.files, analysis, context.dependencies),
    },
    findings,
    stillOpen,
    answered,
    hidden,
    resolved,
    scope: { full: scope.full, since: scope.since },
    dependencies: context.dependencies,
    memory: context.memory,
    dropped,
    verification: reviewed.verification,
    receipt,
    details: composeDetails(reviewer, input),
    conclusion,
    passes,
    notices,
    advice,
    degradations,
    usage,
    version: origin.version,
    rulesUrl: origin.rulesUrl,
  };
}

function composeDetails(
  reviewer: string,
  { analysis, reviewed, origin: { config } }: PublicationInput,
): Publication["details"] {
  const { noModel, sarif } = reviewed;
  return {
    reviewer,
    modelNote: noModel === null ? null : describeNoModel(noModel),
    modelHint: noModel === null ? null : adviseNoModel(noModel),
    mode: analysis.mode,
    scale: analysis.scale,
    intent: analysis.intent,
    // Found when it is shown: not every format does.
    get riskSignals() {
      return analysis.riskSignals;
    },
    configOrigin: config.origin,
    configProblems: config.problems.map(describeProblem),
    rulesRun: reviewed.rules.size,
    sarif: sarif.map(({ file, tools, results, findings: kept, skipped }) => ({
      file,
      tools,
      results,
      kept: kept.length,
      skipped,
    })),
    analysers: reviewed.analysers,
    languages: countLanguages(analysis),
  };
}

/** Numbers and frames the findings in the order in which they are shown. New ones continue the numbers of earlier reviews. */
function publishAll(
  { files }: Change,
  { judged, dropped }: PublicationInput["judgement"],
  { prior, settled }: EarlierReviews,
): Pick<Publication, "findings" | "dropped"> & { readonly open: readonly OpenFinding[] } {
  const known = settled.stillOpen.map((open) => open.judged);
  const places = secretPlaces(files, [...judged, ...known, ...dropped]);
  const publish = createPublisher(files, places);
  let number = Math.max(0, ...prior.findings.map((finding) => finding.number));
  return {
    findings: judged.toSorted(compareFindings).map((each) => publish(each, each.reopens?.number ?? ++number)),
    open: settled.stillOpen
      .map((open): OpenFinding => ({ ...open, judged: publish(open.judged, open.prior.number) }))
      .toSorted(compareOpen),
    // The reason may repeat another finding's title or a comment of the change.
    dropped: dropped.map((each) => ({ ...maskFound(each, places), detail: maskSecrets(each.detail) })),
  };
}

/** Shows one finding of a change with its code. Secrets of the change are masked. */
export function publishFinding(
  judged: JudgedFinding,
  number: number,
  files: readonly ChangedFile[],
): PublishedFinding {
  return createPublisher(files, secretPlaces(files, [judged]))(judged, number);
}

function createPublisher(
  files: readonly ChangedFile[],
  places: ReturnType<typeof secretPlaces>,
): (judged: JudgedFinding, number: number) => PublishedFinding {
  const filesByPath = indexFiles(files);
  return (judged, number) => {
    const framed = { ...frameFinding(judged, filesByPath, places), number };
    const { anchor } = judged;
    const masked = maskFound(framed, places);
    const sources = (judged.sources ?? [judged.finding]).map(
      (finding) => maskFound({ finding, anchor }, places).finding,
    );
    const hasLost = masked !== framed && masked.finding.suggestion === null;
    return { ...(hasLost ? withoutSuggestion(masked) : masked), sources };
  };
}

/** Those that a person has settled, and the others. */
function splitAnswered(
  open: readonly OpenFinding[],
): readonly [readonly OpenFinding[], readonly OpenFinding[]] {
  const isAnswered = ({ state }: OpenFinding): boolean => state === "contested" || state === "waived";
  return [open.filter(isAnswered), open.filter((each) => !isAnswered(each))];
}

/** Severity, then priority, then place; the id settles the rest so that the order never depends on the input's. */
function compareFindings(a: JudgedFinding, b: JudgedFinding): number {
  return (
    severityRank(a.severity) - severityRank(b.severity) ||
    b.priority - a.priority ||
    compareTexts(a.finding.path, b.finding.path) ||
    (a.anchor?.startLine ?? 0) - (b.anchor?.startLine ?? 0) ||
    compareTexts(a.id, b.id)
  );
}

/** By code unit: the same on every machine, whatever its locale. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A path can belong to several files: a mailbox of patches may touch the same one repeatedly. */
function indexFiles(files: readonly ChangedFile[]): ReadonlyMap<string, readonly ChangedFile[]> {
  const index = new Map<string, ChangedFile[]>();
  for (const file of files) {
    for (const path of new Set([file.path, file.oldPath ?? file.path])) {
      const known = index.get(path);
      if (known === undefined) index.set(path, [file]);
      else known.push(file);
    }
  }
  return index;
}

function frameFinding(
  judged: JudgedFinding,
  filesByPath: ReadonlyMap<string, readonly ChangedFile[]>,
  places: ReturnType<typeof secretPlaces>,
): Omit<PublishedFinding, "number"> {
  const { anchor } = judged;
  if (anchor === null) return { ...judged, frame: [], headLine: null };
  const file = fileOf(anchor, filesByPath);
  if (file === null)
    return { ...judged, frame: [], headLine: anchor.side === "new" ? anchor.startLine : null };
  const frame = maskFrame(composeFrame(file, anchor), anchor.path, anchor.side, places);
  return { ...judged, frame, headLine: headLineOf(file, anchor) };
}

/** A replacement repeats the code around the masked part. */
function withoutSuggestion(published: PublishedFinding): PublishedFinding {
  return { ...published, suggestion: { kind: "none" } };
}

/** The file whose hunks show the anchored code, or the first with that path when none does. */
function fileOf(
  anchor: Anchor,
  filesByPath: ReadonlyMap<string, readonly ChangedFile[]>,
): ChangedFile | null {
  const candidates = (filesByPath.get(anchor.path) ?? []).filter(
    (file) => file.path === anchor.path || anchor.side === "old",
  );
  const shown = candidates.length > 1 ? candidates.find((file) => showsAnchor(file, anchor)) : undefined;
  return shown ?? candidates[0] ?? null;
}

function describeProblem(problem: ConfigProblem): string {
  const place = [problem.file, problem.line, problem.line === null ? null : problem.column]
    .filter((part) => part !== null)
    .join(":");
  return `${place}: ${problem.severity}: ${problem.message}`;
}

function countLanguages(analysis: Analysis): Publication["details"]["languages"] {
  const counts = new Map<string, number>();
  for (const { language } of analysis.files) {
    if (language !== "unknown") counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .toSorted((a, b) => b.files - a.files || compareTexts(a.language, b.language));
}
