/**
 * Parses `.kodiai/learnings.yml`. Pure, and never throws: an invalid learning becomes a problem, and the others are kept. The limits of
 * size, nesting and tokens are those of `.kodiai.yml`.
 */
import { printable } from "../base/printable.ts";
import { LearningEntry, MAX_FILE_LEARNINGS } from "./learnings-file.ts";
import { LEARNINGS_PATH } from "./repo-config/config-file.ts";
import type { ConfigNode } from "./repo-config/config-node.ts";
import { parseConfigText } from "./repo-config/parse-config-text.ts";
import { createProblemList, type ProblemList } from "./repo-config/problem-list.ts";
import { MAX_PATTERNS, readValue } from "./repo-config/read-value.ts";
import type { ConfigProblem } from "./repo-config/repo-config.ts";
import { outlineOf } from "./repo-config/schema-outline.ts";
import { describeUnknownKey } from "./repo-config/unknown-key.ts";

export type ParsedLearnings = {
  readonly learnings: readonly LearningEntry[];
  readonly problems: readonly ConfigProblem[];
};

const KEY = "learnings";
const ENTRY = outlineOf(LearningEntry);

export function parseLearnings(text: string | Uint8Array): ParsedLearnings {
  const problems = createProblemList(LEARNINGS_PATH);
  const root = parseConfigText(text, problems);
  const items = root === null ? [] : listItems(root, problems);
  const learnings = items.flatMap((item, index) => readEntry(item, index, problems) ?? []);
  return { learnings, problems: problems.list() };
}

function listItems(root: ConfigNode, problems: ProblemList): readonly ConfigNode[] {
  const entries = root.kind === "map" ? root.entries : [];
  for (const entry of entries)
    if (entry.key !== KEY)
      problems.add("warning", entry, printable(entry.key), () => describeUnknownKey(entry.key, null, [KEY]));
  const list = entries.find(({ key }) => key === KEY)?.node;
  if (list?.kind !== "list") {
    problems.add("error", list ?? root, "", () => `needs a list with the key "${KEY}"; Kodiai ignores it`);
    return [];
  }
  const next = list.items[MAX_FILE_LEARNINGS];
  if (next !== undefined) {
    const message = () =>
      `only ${MAX_FILE_LEARNINGS} learnings are allowed; Kodiai ignores the ones from here on`;
    problems.add("error", next, `${KEY}[${MAX_FILE_LEARNINGS}]`, message);
  }
  return list.items.slice(0, MAX_FILE_LEARNINGS);
}

/** Strict: without an invalid glob or date, a learning would apply to more files, or for longer, than its team wants. */
function readEntry(node: ConfigNode, index: number, problems: ProblemList): LearningEntry | null {
  const value = readValue(node, ENTRY, {
    key: `${KEY}[${index}]`,
    consequence: "Kodiai ignores the learning",
    problems,
    limits: { patternsLeft: MAX_PATTERNS },
    isStrict: true,
  });
  return LearningEntry.safeParse(value).data ?? null;
}
