/**
 * Deterministic hints about risky parts of a change, for the prompt and the summary. They come from paths and changed
 * lines, and are never findings.
 */
import type { Change, ChangedFile } from "../change/change.ts";
import { walkHunk, type DiffLine } from "../change/walk-hunks.ts";
import type { FileAnalysis, RiskSignal } from "./analysis.ts";
import { contentSignalsIn, isComment, readContentSignals, type ContentSignalId } from "./content-signals.ts";
import { createErrorHandlingWatch } from "./error-handling.ts";
import { pathSignals, type PathSignalId } from "./path-signals.ts";

/** A longer list loses its effect in a prompt. */
const MAX_SIGNALS = 10;
/** Enough to find the place; the list of files has the rest. */
const MAX_PATHS_PER_SIGNAL = 5;
/** Hints don't need to be complete: the first 4,000 diff lines show what a file is about. */
const MAX_LINES_PER_FILE = 4_000;
/** Keeps the largest changes well within a second. */
const MAX_LINES_PER_CHANGE = 50_000;

type SignalId = PathSignalId | ContentSignalId | "error-handling";

/** Most important first, because signals over the limit are cut from the end. */
const LABELS: Readonly<Record<SignalId, string>> = {
  authentication: "Touches authentication or authorization",
  credentials: "Touches credentials or secrets",
  cryptography: "Touches cryptography",
  "raw-sql": "Adds raw SQL",
  "code-execution": "Adds subprocess or eval calls",
  deserialisation: "Adds deserialization of data",
  "error-handling": "Removes or empties error handling",
  permissions: "Changes permissions",
  database: "Changes the database schema or migrations",
  dependencies: "Changes dependencies",
  infrastructure: "Changes CI or infrastructure",
};

/** At most 10, most important first. The contents of skipped files, marked files, tests and prose raise no signals. */
export function findRiskSignals(
  change: Pick<Change, "files">,
  files: readonly FileAnalysis[],
): readonly RiskSignal[] {
  const paths = new Map<SignalId, Set<string>>();
  const raise = (id: SignalId, path: string): void => {
    const raised = paths.get(id) ?? new Set();
    if (raised.size < MAX_PATHS_PER_SIGNAL) paths.set(id, raised.add(path));
  };
  const byPath = new Map(files.map((file) => [file.path, file]));
  const errorHandling = createErrorHandlingWatch();
  let linesLeft = MAX_LINES_PER_CHANGE;

  for (const file of change.files) {
    const analysis = byPath.get(file.path);
    if (analysis === undefined || analysis.isSkipped) continue;
    for (const id of pathSignals(analysis)) raise(id, file.path);
    if (hasModeChange(file)) raise("permissions", file.path);
    if (linesLeft === 0 || !isScanned(file, analysis)) continue;

    const found = new Set<ContentSignalId>();
    const text = file.hunks.map(({ lines }) => lines.join("\n")).join("\n");
    const signals = contentSignalsIn(text, analysis.language);
    const watchErrors = errorHandling.watch(file);
    const scanned = scanLines(file, Math.min(linesLeft, MAX_LINES_PER_FILE), (line, isFirst) => {
      watchErrors(line, isFirst);
      if (signals.length > 0 && line.kind === "added" && !isComment(line.text))
        readContentSignals(line.text, signals, found);
    });
    linesLeft -= scanned;
    for (const id of found) raise(id, file.path);
  }

  for (const path of errorHandling.pathsWithLoss()) raise("error-handling", path);
  return signalsOf(paths);
}

/** A deleted file no longer runs, so its error handling isn't missing. */
function isScanned(file: ChangedFile, analysis: FileAnalysis): boolean {
  if (analysis.mark !== null || file.status === "deleted") return false;
  return analysis.category !== "test" && analysis.category !== "docs";
}

function hasModeChange(file: ChangedFile): boolean {
  return file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode;
}

/** Walks up to `limit` lines, skipping those whose text was cut. Returns the number of lines it walked. */
function scanLines(
  file: ChangedFile,
  limit: number,
  read: (line: DiffLine, isFirst: boolean) => void,
): number {
  const cut = new Set(file.cutLines);
  let scanned = 0;
  for (const hunk of file.hunks) {
    let isFirst = true;
    for (const line of walkHunk(hunk)) {
      if (scanned >= limit) return scanned;
      scanned += 1;
      if (line.newLine !== null && cut.has(line.newLine)) continue;
      read(line, isFirst);
      isFirst = false;
    }
  }
  return scanned;
}

function signalsOf(paths: ReadonlyMap<string, ReadonlySet<string>>): readonly RiskSignal[] {
  return Object.entries(LABELS)
    .map(([id, label]) => ({ id, label, paths: [...(paths.get(id) ?? [])] }))
    .filter((signal) => signal.paths.length > 0)
    .slice(0, MAX_SIGNALS);
}
