/** `strings.Trim` with a word: it removes any of the characters, not the word. */
import { callsIn } from "../syntax/calls.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const PREFIX_OR_SUFFIX: Readonly<Record<string, string>> = {
  TrimLeft: "TrimPrefix",
  TrimRight: "TrimSuffix",
  Trim: "TrimPrefix",
};

/** True for a text that is a word and no set of characters: a set has no character twice. */
function isWord(cutset: string): boolean {
  const characters = cutset.replaceAll(/\\./g, "").split("");
  return characters.length > 2 && new Set(characters).size < characters.length && /[A-Za-z]/.test(cutset);
}

export const goTrimCutset: TreeRule = {
  kind: "tree",
  id: "go-trim-cutset",
  title: "Wrong trim: `strings.Trim` removes single characters, not a word",
  severity: "must-fix",
  category: "correctness",
  why: "The second argument is a set of characters. The call removes every leading or trailing character of the set, and often more than the word.",
  fix: "Use `strings.TrimPrefix` or `strings.TrimSuffix`.",
  languages: ["go"],
  inTests: false,
  trigger: /\b(?:strings|bytes)\.Trim(?:Left|Right)?\(/,
  *check(root): Iterable<RuleMatch> {
    for (const call of callsIn(root, "go", (name) => name.startsWith("Trim"))) {
      if (!/^(?:strings|bytes)$/.test(call.receiver)) continue;
      const instead = PREFIX_OR_SUFFIX[call.name];
      const cutset = call.args[1];
      if (
        instead === undefined ||
        cutset?.kind() !== "interpreted_string_literal" ||
        !isWord(cutset.text().slice(1, -1))
      )
        continue;
      const text = nameOr(cutset.text().slice(1, -1), "the text");
      yield {
        line: linesOf(call.node).line,
        title: `Wrong trim: \`strings.${call.name}\` removes the characters of ${text}, not the word`,
      };
    }
  },
  examples: {
    bad: [
      bad(
        "src/host.go",
        4,
        'package a\n\nfunc host(url string) string {\n\treturn strings.TrimLeft(url, "https://")\n}\n',
      ),
      bad(
        "src/name.go",
        4,
        'package a\n\nfunc name(path string) string {\n\treturn strings.TrimRight(path, ".jpeg.jpg")\n}\n',
      ),
    ],
    good: [
      good(
        "src/host.go",
        'package a\n\nfunc host(url string) string {\n\treturn strings.TrimPrefix(url, "https://")\n}\n',
      ),
      good(
        "src/space.go",
        'package a\n\nfunc clean(text string) string {\n\treturn strings.Trim(text, " \\t\\n\\r")\n}\n',
      ),
      good(
        "src/quotes.go",
        'package a\n\nfunc clean(text, set string) string {\n\treturn strings.Trim(strings.TrimRight(text, "/"), set)\n}\n',
      ),
    ],
  },
};
