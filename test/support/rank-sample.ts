/** Small inputs of the ranking of related files, written as texts. */
import { countWords } from "../../src/languages/extract/count-words.ts";
import type { FileFacts } from "../../src/languages/file-facts.ts";
import type { RankInput } from "../../src/review/pack/rank/rank-input.ts";

export type RankSample = {
  readonly files: readonly string[];
  readonly changed: readonly string[];
  readonly words?: Readonly<Record<string, number>>;
  readonly texts?: Readonly<Record<string, string>>;
  /** "importing imported", each. */
  readonly edges?: readonly string[];
  readonly commits?: readonly string[];
  readonly question?: string;
};

export function rankInputOf({
  files,
  changed,
  words = {},
  texts = {},
  edges = [],
  commits = [],
  question = "",
}: RankSample): RankInput {
  const dependencies = new Map<string, Set<string>>();
  const dependents = new Map<string, Set<string>>();
  for (const edge of edges) {
    const [from = "", to = ""] = edge.split(" ");
    dependencies.set(from, (dependencies.get(from) ?? new Set()).add(to));
    dependents.set(to, (dependents.get(to) ?? new Set()).add(from));
  }
  return {
    changed: changed.map((path) => ({ path, oldPath: path, status: "modified" })),
    words: new Map(Object.entries(words).map(([word, count]) => [word, { count, files: 0 }])),
    question,
    candidates: files.map((path) => ({ path })),
    facts: new Map(Object.entries(texts).map(([path, text]) => [path, factsOf(text)])),
    graph: { dependencies, dependents },
    coChanges: commits.map((paths) => paths.split(" ")),
  };
}

function factsOf(text: string): FileFacts {
  return { imports: [], definitions: [], module: null, words: countWords(text) };
}
