/**
 * Where a name stands in the repository and what it does there: git finds the lines, syntax trees tell declarations from
 * uses. Where there is no parser for a language, lines are only told apart by how they look, and the answer says so.
 */
import * as z from "zod";
import type { Repository, SearchHit } from "../repository/repository.ts";
import { isProgramming, languageOf } from "../review/analysis/languages.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import type { Syntax, SyntaxNode } from "../syntax/syntax.ts";
import { declarationOf } from "./declaration.ts";
import { guardHits } from "./guard-hits.ts";
import { patienceOf } from "./places.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, ToolResult } from "./tool.ts";

/** What one answer tells. */
const MAX_SHOWN = 100;

/** Lines that git may find; a name with more is a common word. */
const MAX_HITS = 2_000;

/** Parsing is what takes time: about a second for these. */
const MAX_PARSED_FILES = 100;

/** The parser takes no more. */
const MAX_FILE_BYTES = 256 * 1024;

/** A file can be made so that it takes many seconds; what is not parsed by then is told as text. */
const MAX_PARSING_MS = 5_000;

/** Every place of a name in a tree costs a few microseconds, during which nobody else gets a turn. */
const MAX_NAMES_IN_FILE = 2_000;

const MAX_TEXT_CHARS = 300;

export const nameSchema = z.object({
  name: z
    .string()
    .min(1)
    .max(300)
    .describe("One name, such as readFile; of Shop.cart the last part is looked for"),
});

export type Role =
  /** Told by the syntax tree, with the kind of its declaration. */
  | { readonly kind: "declaration"; readonly by: string }
  | { readonly kind: "use" }
  /** In a comment or a string. */
  | { readonly kind: "mention" }
  /** There was no tree; `isLikely`: the line looks like a declaration. */
  | { readonly kind: "text"; readonly isLikely: boolean };

type Occurrence = SearchHit & { readonly role: Role };

type Occurrences = {
  readonly name: string;
  readonly found: readonly Occurrence[];
  /** What is not known of lines that no parser has seen; null when there are none. */
  readonly textNote: string | null;
  /** There are files that were not searched. */
  readonly isCut: boolean;
};

/** The name itself, without what it belongs to; null when it is none. */
export function bareName(given: string): string | null {
  const last = given.split(/\.|::|->|#|\\/).at(-1) ?? "";
  return /^[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u.test(last) ? last.replace(/[?!]$/, "") : null;
}

export async function findOccurrences(
  name: string,
  repository: Repository,
  context: ReadContext,
): Promise<Occurrences> {
  const wanted = { text: name, isWord: true, folder: "", accepts: () => true, maxHits: MAX_HITS };
  const { hits, endedBy } = await repository.search(context.head, wanted, patienceOf(context));
  const looksDeclared = declarationLook(name);
  const files = [...Map.groupBy(hits, ({ path }) => path)].toSorted(
    ([, one], [, other]) => Number(other.some(looksDeclared)) - Number(one.some(looksDeclared)),
  );
  const syntax = await loadIfAny(context);
  const hasCpp = files.some(([path]) => languageOf(path) === "cpp");
  const found: Occurrence[] = [];
  const unparsed = new Set<string>();
  let parsedCount = 0;
  const parseUntil = performance.now() + MAX_PARSING_MS;
  for (const [path, lines] of files) {
    context.signal.throwIfAborted();
    const language = languageOf(path, { hasCpp });
    const mayParse = syntax !== null && syntax.supports(language) && parsedCount < MAX_PARSED_FILES;
    const tree = mayParse
      ? await parseFile(path, language, { name, syntax, repository, context, until: parseUntil })
      : null;
    if (tree === null) unparsed.add(language);
    else parsedCount++;
    const mayDeclare = isProgramming(language) || language === "unknown" ? looksDeclared : () => false;
    const roleOf = tree === null ? textRole(mayDeclare) : treeRole(tree, name);
    found.push(...lines.map((hit) => ({ ...hit, role: roleOf(hit) })));
  }
  const textNote = unparsed.size === 0 ? null : describeUnparsed([...unparsed], parsedCount);
  return { name, found, textNote, isCut: endedBy !== "end" };
}

function describeUnparsed(languages: readonly string[], parsedCount: number): string {
  const names = languages.slice(0, 10).join(", ");
  const why =
    parsedCount >= MAX_PARSED_FILES
      ? `only ${MAX_PARSED_FILES} files were parsed`
      : "some files have no parser, are too large or take too long";
  return `Lines marked "text" were only compared as text (${why}; ${names}): check what they do.`;
}

/** Without parsers the answer is poorer, and says so. */
async function loadIfAny({ loadSyntax }: ReadContext): Promise<Syntax | null> {
  try {
    return await loadSyntax();
  } catch {
    return null;
  }
}

type Parsing = {
  readonly name: string;
  readonly syntax: Syntax;
  readonly repository: Repository;
  readonly context: ReadContext;
  /** When nobody waits for the parser any more, in the time of `performance.now`. */
  readonly until: number;
};

async function parseFile(path: string, language: string, parsing: Parsing): Promise<SyntaxNode | null> {
  const { name, syntax, repository, context, until } = parsing;
  if (!syntax.supports(language) || performance.now() >= until) return null;
  const latin1 = (await repository.readFiles(context.head, [path], MAX_FILE_BYTES)).get(path);
  if (latin1 === undefined) return null;
  const text = decodeBytes(latin1);
  if (text.split(name).length > MAX_NAMES_IN_FILE) return null;
  // A parser that is at work cannot be stopped; it works aside and its tree is dropped.
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), until - performance.now());
  try {
    return await Promise.race([syntax.parseAside(language, text), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** What stands on each line, by the names in the tree; a declaration counts before a use on the same line. */
function treeRole(tree: SyntaxNode, name: string): (hit: SearchHit) => Role {
  const roles = new Map<number, Role>();
  for (const node of tree.findAll({ rule: { regex: `^${name.replaceAll("$", "\\$")}$` } })) {
    if (node.children().length > 0) continue;
    const line = node.range().start.line + 1;
    const by = declarationOf(node);
    if (by !== null) roles.set(line, { kind: "declaration", by });
    else if (!roles.has(line)) roles.set(line, { kind: "use" });
  }
  return ({ line }) => roles.get(line) ?? { kind: "mention" };
}

function textRole(looksDeclared: (hit: SearchHit) => boolean): (hit: SearchHit) => Role {
  return (hit) => ({ kind: "text", isLikely: looksDeclared(hit) });
}

/** A word that declares, shortly before the name. Lines are bounded and nothing in here repeats over itself. */
function declarationLook(name: string): (hit: SearchHit) => boolean {
  const words =
    "function|class|def|func|fn|interface|type|struct|enum|union|trait|module|namespace|const|let|var|val|sub|proc|macro|define|record|object|protocol|impl";
  const look = new RegExp(`\\b(?:${words})\\b.{0,80}?\\b${name.replaceAll("$", "\\$")}\\b`);
  return ({ text }) => look.test(text.slice(0, MAX_TEXT_CHARS));
}

/** Those that are wanted, as an answer. */
export async function showOccurrences(
  { found, textNote, isCut }: Occurrences,
  isWanted: (occurrence: Occurrence) => boolean,
  repository: Repository,
  context: ReadContext & { readonly what: string },
): Promise<ToolResult> {
  const { true: texts = [], false: sure = [] } = Object.groupBy(
    found.filter(isWanted),
    ({ role }) => `${role.kind === "text"}`,
  );
  const wanted = [...sure, ...texts];
  const cut = wanted.length > MAX_SHOWN ? `; the first ${MAX_SHOWN} are shown` : "";
  const shown = wanted.slice(0, MAX_SHOWN);
  const guarded = await guardHits(shown, repository, context);
  const data = shown.map(({ path, line, role }, index): DataLine => {
    const kind = role.kind === "declaration" ? role.by : role.kind;
    const text = cutLine((guarded[index]?.shown ?? "").trim(), MAX_TEXT_CHARS);
    return { prefix: `${showPath(path, context.guard)}:${line}: [${kind}] ${text}`, text: "" };
  });
  const count = wanted.length === 0 ? `No ${context.what} found` : `${wanted.length} found${cut}`;
  const hasText = wanted.length === 0 || texts.length > 0;
  const notes = [
    ...(textNote !== null && hasText ? [textNote] : []),
    ...(isCut ? ["Not all files were searched: the name is too common."] : []),
  ];
  return { text: [`${count}.`, ...notes].join(" "), data };
}
