/** Collects the problems of one file, in line order, and never more than a person would read. */
import { count } from "../../base/count.ts";
import type { TextPosition } from "./config-node.ts";
import type { ConfigProblem } from "./repo-config.ts";

/** Keeps a broken file from filling a terminal or a review. Counted by severity, so that warnings never hide errors. */
const MAX_PER_SEVERITY = 50;

export type ProblemList = {
  readonly file: string;
  /** `message` omits its subject: the key, or "the file" if `key` is "". It's only called for problems that are kept. */
  add(
    severity: ConfigProblem["severity"],
    position: TextPosition | null,
    key: string,
    message: () => string,
  ): void;
  /** Position of the first problem in a top-level section, listed or not; null if there is none. */
  firstIn(section: string): TextPosition | null;
  list(): readonly ConfigProblem[];
};

export function createProblemList(file: string): ProblemList {
  const problems: ConfigProblem[] = [];
  const counts = { error: 0, warning: 0 };
  const firstBySection = new Map<string, TextPosition>();
  return {
    file,
    add(severity, position, key, message) {
      const section = key.split(".", 1)[0] ?? "";
      if (position !== null && !firstBySection.has(section)) firstBySection.set(section, position);
      counts[severity]++;
      if (counts[severity] > MAX_PER_SEVERITY) return;
      problems.push({
        severity,
        file,
        line: position?.line ?? null,
        column: position?.column ?? null,
        key,
        message: `${key === "" ? "the file" : `${key}:`} ${message()}`,
      });
    },
    firstIn: (section) => firstBySection.get(section) ?? null,
    list() {
      const sorted = [...problems].sort(byPosition);
      const omitted = counts.error + counts.warning - problems.length;
      if (omitted === 0) return sorted;
      const message = `the file has ${count(omitted, "more problem")} like these`;
      return [...sorted, { severity: "warning", file, line: null, column: null, key: "", message }];
    },
  };
}

function byPosition(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
