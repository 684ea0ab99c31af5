/** Collects what is wrong with one file, in the order of its lines, and never more than a person would read. */
import type { TextPosition } from "./config-node.ts";
import type { ConfigProblem } from "./repo-config.ts";

/** A file full of nonsense would otherwise fill a terminal or a review; counted apart so that warnings hide no error. */
const MAX_PER_SEVERITY = 50;

export type ProblemList = {
  readonly file: string;
  /** `message` comes without its subject: the key, or "the file" when `key` is "". It is asked for only when it is kept. */
  add(
    severity: ConfigProblem["severity"],
    place: TextPosition | null,
    key: string,
    message: () => string,
  ): void;
  /** Place of the first problem in a top-level section, listed or not; null when it has none. */
  firstIn(section: string): TextPosition | null;
  list(): readonly ConfigProblem[];
};

export function createProblemList(file: string): ProblemList {
  const problems: ConfigProblem[] = [];
  const counts = { error: 0, warning: 0 };
  const firstBySection = new Map<string, TextPosition>();
  return {
    file,
    add(severity, place, key, message) {
      const section = key.split(".", 1)[0] ?? "";
      if (place !== null && !firstBySection.has(section)) firstBySection.set(section, place);
      counts[severity]++;
      if (counts[severity] > MAX_PER_SEVERITY) return;
      problems.push({
        severity,
        file,
        line: place?.line ?? null,
        column: place?.column ?? null,
        key,
        message: `${key === "" ? "the file" : `${key}:`} ${message()}`,
      });
    },
    firstIn: (section) => firstBySection.get(section) ?? null,
    list() {
      const sorted = [...problems].sort(byPlace);
      const left = counts.error + counts.warning - problems.length;
      if (left === 0) return sorted;
      const message = `the file has ${left} more ${left === 1 ? "problem" : "problems"} like these`;
      return [...sorted, { severity: "warning", file, line: null, column: null, key: "", message }];
    },
  };
}

function byPlace(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
