/**
 * Everything that a review reports about a change, put together as one value. It orders and frames the findings that
 * judging kept; it never keeps or drops a finding itself.
 */
import type { NoModelReason } from "../../../model/no-model-reason.ts";
import { adviseNoModel, describeNoModel } from "./describe-no-model.ts";
import type { ConfigProblem } from "../../../config/repo-config/repo-config.ts";
import { severityRank } from "../../../base/severity.ts";
import type { Analysis } from "../../analysis/analysis.ts";
import type { DependencyReport } from "../../../ecosystems/dependency-report.ts";
import type { Change, ChangedFile } from "../../change/change.ts";
import type { Anchor, DroppedFinding, JudgedFinding } from "../../findings/finding.ts";
import type { SarifReport } from "../../findings/sarif-report.ts";
import { maskSecrets } from "../../../base/secrets/mask-secrets.ts";
import { composeFrame, headLineOf, showsAnchor } from "./compose-frame.ts";
import { composeOverview } from "./compose-overview.ts";
import { describeChange } from "./describe-change.ts";
import { composeVerdict } from "./compose-verdict.ts";
import { SECRET_RULES } from "../../findings/secret-rules.ts";
import { maskFound, maskFrame, secretPlaces } from "./mask-findings.ts";
import type { AnalyserReport } from "../../../linters/analyser-report.ts";
import type {
  Degradation,
  PassOverview,
  PassReport,
  MemoryReport,
  OpenFinding,
  Publication,
  PublishedFinding,
} from "../publication.ts";
import type { Scope } from "../../change/scope.ts";
import type { Settled } from "../../findings/settle-prior.ts";
import type { Receipt } from "../receipt.ts";
import { compareOpen } from "../words.ts";
import { summarisePasses } from "./summarise-passes.ts";

export type PublicationInput = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly judged: readonly JudgedFinding[];
  readonly dropped: readonly DroppedFinding[];
  /** Omitted: there was no earlier review. */
  readonly settled?: Settled;
  /** Omitted: the first review. */
  readonly scope?: Pick<Scope, "full" | "since">;
  /** The highest number that an earlier finding has. Omitted: 0. */
  readonly lastNumber?: number;
  /** Omitted: none changed. */
  readonly dependencies?: DependencyReport | null;
  /** Missing where nothing is remembered. */
  readonly memory?: MemoryReport;
  readonly receipt: Receipt;
  readonly degradations: readonly Degradation[];
  /** As the models wrote it. */
  readonly overview: readonly PassOverview[];
  /** In order, the floor first. */
  readonly passes: readonly PassReport[];
  /** See `Usage`. */
  readonly cutOffUsd: number;
  /** Why no model took part, and how to have one; null when one was asked. */
  readonly noModel: NoModelReason | null;
  readonly configOrigin: string;
  readonly configProblems: readonly ConfigProblem[];
  readonly rulesRun: number;
  /** Results of other tools; their findings are among those judged. Missing: none. */
  readonly sarif?: readonly SarifReport[];
  /** Omitted: none ran. */
  readonly analysers?: readonly AnalyserReport[];
  readonly version: string;
  /** See `Publication`. Omitted: null. */
  readonly rulesUrl?: string | null;
  /** Notes about the settings, shown after the notes of the change. */
  readonly notes?: readonly string[];
  /** Ids of the rules that find secrets: every output masks the code they point at. Default: SECRET_RULES. */
  readonly secretRules?: ReadonlySet<string>;
};

const NOTHING_SETTLED: Pick<Settled, "stillOpen" | "hidden" | "resolved"> = {
  stillOpen: [],
  hidden: [],
  resolved: [],
};

const NO_MEMORY: MemoryReport = { similar: [], learnings: [], suppressions: [] };

export function composePublication(input: PublicationInput): Publication {
  const { change, analysis, receipt, passes } = input;
  const { reviewer, usage, conclusion, notices, advice } = summarisePasses(passes, input.cutOffUsd);
  const { sarif = [], secretRules = SECRET_RULES } = input;
  const { stillOpen: unresolved, hidden, resolved } = input.settled ?? NOTHING_SETTLED;
  const known = unresolved.map(({ judged }) => judged);
  const places = secretPlaces(change.files, [...input.judged, ...known, ...input.dropped], secretRules);
  const publish = createPublisher(change.files, places, secretRules);
  const { full, since } = input.scope ?? { full: "first", since: null };
  let number = input.lastNumber ?? 0;
  const findings = input.judged
    .toSorted(compareFindings)
    .map((judged) => publish(judged, judged.reopens?.number ?? ++number));
  const [answered, stillOpen] = splitAnswered(
    unresolved
      .map((open): OpenFinding => ({ ...open, judged: publish(open.judged, open.prior.number) }))
      .toSorted(compareOpen),
  );
  return {
    verdict: composeVerdict({ ...input, reviewer, conclusion, findings, stillOpen, hidden, resolved }),
    overview: composeOverview(input.overview),
    change: {
      kind: change.kind,
      description: change.description,
      title: maskSecrets(change.title),
      base: change.base,
      head: change.head,
      notes: [...change.notes, ...(input.notes ?? [])],
      summary: describeChange(change.files, analysis, input.dependencies),
    },
    findings,
    stillOpen,
    answered,
    hidden,
    resolved,
    scope: { full, since },
    dependencies: input.dependencies ?? null,
    memory: input.memory ?? NO_MEMORY,
    // The reason may repeat another finding's title or a comment of the change.
    dropped: input.dropped.map((dropped) => ({
      ...maskFound(dropped, places, secretRules),
      detail: maskSecrets(dropped.detail),
    })),
    receipt,
    details: {
      reviewer,
      modelNote: input.noModel === null ? null : describeNoModel(input.noModel),
      modelHint: input.noModel === null ? null : adviseNoModel(input.noModel),
      mode: analysis.mode,
      scale: analysis.scale,
      intent: analysis.intent,
      get riskSignals() {
        return analysis.riskSignals;
      },
      configOrigin: input.configOrigin,
      configProblems: input.configProblems.map(describeProblem),
      rulesRun: input.rulesRun,
      sarif: sarif.map(({ file, tools, results, findings: kept, skipped }) => ({
        file,
        tools,
        results,
        kept: kept.length,
        skipped,
      })),
      analysers: input.analysers ?? [],
      languages: countLanguages(analysis),
    },
    conclusion,
    passes,
    notices,
    advice,
    degradations: input.degradations,
    usage,
    version: input.version,
    rulesUrl: input.rulesUrl ?? null,
  };
}

/** Shows one finding of a change with its code. Secrets of the change are masked. */
export function publishFinding(
  judged: JudgedFinding,
  number: number,
  files: readonly ChangedFile[],
): PublishedFinding {
  return createPublisher(files, secretPlaces(files, [judged], SECRET_RULES), SECRET_RULES)(judged, number);
}

function createPublisher(
  files: readonly ChangedFile[],
  places: ReturnType<typeof secretPlaces>,
  secretRules: ReadonlySet<string>,
): (judged: JudgedFinding, number: number) => PublishedFinding {
  const filesByPath = indexFiles(files);
  return (judged, number) => {
    const framed = { ...frameFinding(judged, filesByPath, places), number };
    const { anchor } = judged;
    const masked = maskFound(framed, places, secretRules);
    const sources = (judged.sources ?? [judged.finding]).map(
      (finding) => maskFound({ finding, anchor }, places, secretRules).finding,
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
