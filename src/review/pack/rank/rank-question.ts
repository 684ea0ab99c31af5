/** Ranks files by the question that a pack is for: paths and names in the question, and its other words in paths. */
import { LOG2_ONE, log2Fixed } from "./integer-math.ts";
import { type NameParts, namePartsOf } from "./name-parts.ts";
import type { RankGround, Scores } from "./rank-input.ts";
import { scoreWords } from "./rank-words.ts";

/** A longer question is a document: its beginning says what it's about. */
const MAX_QUESTION_CHARS = 20_000;

/** More than any words can add up to. */
const NAMED_PATH = 2 ** 48;

/** A word of the question in a path counts about as much as a name of the question in the text. */
const IN_PATH = 2 ** 20;

/** Half of the files or more have a word that says nothing. */
const MIN_RARITY = LOG2_ONE;

/** Shorter ones are words of every language. */
const MIN_WORD_CHARS = 4;

/** Words of questions about any change. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "about after also because been before being break breaking broke bug bugs call called caller calling change changed code commit correct " +
    "could depend does done edge else ever every existing fail fails file files find fine fix forgot forgotten from function good have here impact into issue keep " +
    "like line make miss missing might more must need never only other over part place please problem project pull question regression " +
    "related request review risk risky safe should side some still such sure test tested than that their them then there these they thing this those " +
    "used user uses using what when where whether which while whole will with without work would wrong your"
  ).split(" "),
);

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** As code writes names: `x`, x(), camelCase, snake_case, HTTP2. */
const LOOKS_LIKE_CODE = /_|\d|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;

export function scoreQuestion(ground: RankGround): Scores {
  const text = ground.question.slice(0, MAX_QUESTION_CHARS);
  const scores = new Float64Array(ground.paths.length);
  if (text.trim() === "") return scores;
  const named = namedFiles(text);
  const byWord = filesByPathWord(ground.nameParts);
  const inText = scoreWords({
    ...ground,
    words: new Map(namesInQuestion(text).map((name) => [name, { count: 1, files: 0 }])),
  });
  for (const [number, score] of inText.entries()) scores[number] = score;
  for (const word of wordsOfQuestion(text)) {
    const files = byWord.get(word) ?? [];
    const rarity = log2Fixed(ground.paths.length + 1) - log2Fixed(files.length + 1);
    if (rarity < MIN_RARITY) continue;
    for (const number of files) scores[number] = (scores[number] ?? 0) + rarity * IN_PATH;
  }
  for (const [number, path] of ground.paths.entries()) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (named.has(path) || named.has(name)) scores[number] = (scores[number] ?? 0) + NAMED_PATH;
  }
  return scores;
}

/** Words that look like a path or the name of a file. */
function namedFiles(text: string): ReadonlySet<string> {
  const found = text.match(/[\p{L}\p{N}_./@-]{3,300}/gu) ?? [];
  return new Set(found.map((each) => each.replace(/^\.\/|[.]+$/g, "")).filter((each) => /[./]/.test(each)));
}

/** Names of code in a question. */
export function namesInQuestion(text: string): readonly string[] {
  const quoted = [...text.matchAll(/`([^`\n]{1,200})`/g)].flatMap(([, code = ""]) => code.match(WORD) ?? []);
  const called = [...text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\(/gu)].map(([, name = ""]) => name);
  const looking = (text.match(WORD) ?? []).filter((word) => LOOKS_LIKE_CODE.test(word));
  return [...new Set([...quoted, ...called, ...looking])].filter((name) => name.length >= MIN_WORD_CHARS);
}

function wordsOfQuestion(text: string): ReadonlySet<string> {
  const words = (text.match(WORD) ?? []).flatMap((word) => [...namePartsOf(word).words.keys()]);
  return new Set(words.filter((word) => word.length >= MIN_WORD_CHARS && !COMMON.has(word)));
}

/** The numbers of the files whose paths have each word. */
function filesByPathWord(parts: readonly NameParts[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const [number, { words }] of parts.entries())
    for (const word of words.keys()) {
      const files = found.get(word);
      if (files === undefined) found.set(word, [number]);
      else files.push(number);
    }
  return found;
}
