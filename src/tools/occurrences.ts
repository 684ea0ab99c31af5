/**
 * Finds where a name occurs in the repository and in which role: git finds the lines, syntax trees distinguish declarations
 * from uses. Without a parser for a language, the text of the line decides, and the answer says so.
 */
import * as z from "zod";
import { MAX_PARSED_CHARS } from "../base/parse-limit.ts";
import { createWorkBudget, type WorkBudget } from "../base/work-budget.ts";
import type { Repository, SearchHit, SearchResult } from "../repository/repository.ts";
import { isProgramming, languageOf } from "../languages/language-of.ts";
import { decodeBytes } from "../review/change/decode-bytes.ts";
import { isCertainPlace, type NameFacts } from "../review/context/code-lookup.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import type { NameRole } from "../syntax/name-roles.ts";
import { guardHits } from "./guard-hits.ts";
import { describeMachineMade, type HandWritten, leaveOutMachineMade } from "./machine-made.ts";
import { deadlineOf } from "./resolve-paths.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, ToolResult } from "./tool.ts";

/** Occurrences in one answer. */
const MAX_SHOWN = 100;

/** Lines that git may find; a name with more hits is a common word. */
const MAX_HITS = 2_000;

/** Parsing takes most of the time: about a second for this many files. */
const MAX_PARSED_FILES = 100;

/** CPU time. A hostile file can take many seconds to parse. Files that aren't parsed by then are compared as text. */
const MAX_PARSING_MS = 5_000;

const MAX_TEXT_CHARS = 300;

export const nameSchema = z.object({
  name: z.string().min(1).max(300).describe("Such as readFile; of Shop.cart, only cart counts"),
});

export type Role =
  | NameRole
  /** In a comment or a string. */
  | { readonly kind: "mention" }
  /** The file wasn't parsed; `isLikely`: the line looks like a declaration. */
  | { readonly kind: "text"; readonly isLikely: boolean };

type Occurrence = SearchHit & {
  readonly role: Role;
  /** Whether imports prove that it is one of the definitions, or it only shares their name; null when nothing is known. */
  readonly proof: "certain" | "same-name" | null;
};

const MENTION: Role = { kind: "mention" };

type Occurrences = {
  readonly name: string;
  readonly found: readonly Occurrence[];
  /** A note about lines that weren't parsed; null when there are none. */
  readonly textNote: string | null;
  readonly endedBy: SearchResult["endedBy"];
  readonly machineMade: HandWritten["machineMade"];
};

/** The last part of a qualified name; null when it isn't a name. */
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
  const searched = await repository.search(context.head, wanted, deadlineOf(context));
  const { hits, machineMade } = await leaveOutMachineMade(searched.hits, repository, context);
  const byPath = Map.groupBy(hits, ({ path }) => path);
  const facts = (await context.code?.findName(name, [...byPath.keys()])) ?? null;
  const looksDeclared = declarationLook(name);
  const mayBeDeclared = (path: string, lines: readonly SearchHit[]): boolean =>
    facts?.known.includes(path) === true
      ? facts.definitions.some((each) => each.path === path)
      : lines.some(looksDeclared);
  const files = [...byPath].toSorted(
    (one, other) => Number(mayBeDeclared(...other)) - Number(mayBeDeclared(...one)),
  );
  const hasCpp = files.some(([path]) => languageOf(path) === "cpp");
  const found: Occurrence[] = [];
  const unparsed = new Set<string>();
  let parsedCount = 0;
  const budget = createWorkBudget(MAX_PARSING_MS, () => performance.now());
  for (const [path, lines] of files) {
    context.signal.throwIfAborted();
    const language = languageOf(path, { hasCpp });
    const roles =
      parsedCount < MAX_PARSED_FILES
        ? await readRoles(path, language, { name, repository, context, budget })
        : null;
    if (roles === null) unparsed.add(language);
    else parsedCount++;
    const mayDeclare = isProgramming(language) || language === "unknown" ? looksDeclared : () => false;
    const roleOf =
      roles === null
        ? (factRole(path, facts) ?? textRole(mayDeclare))
        : ({ line }: SearchHit): Role => roles.get(line) ?? MENTION;
    found.push(...lines.map((hit) => ({ ...hit, role: roleOf(hit), proof: proofOf(hit, facts) })));
  }
  const textNote = unparsed.size === 0 ? null : describeUnparsed([...unparsed], parsedCount);
  return { name, found, textNote, endedBy: searched.endedBy, machineMade };
}

function describeUnparsed(languages: readonly string[], parsedCount: number): string {
  const names = languages.slice(0, 10).join(", ");
  const why =
    parsedCount >= MAX_PARSED_FILES
      ? `only ${MAX_PARSED_FILES} files were parsed`
      : "some files have no parser, are too large or take too long";
  return `Lines marked "text" were only compared as text (${why}; ${names}). Check what they do.`;
}

type Parsing = {
  readonly name: string;
  readonly repository: Repository;
  readonly context: ReadContext;
  readonly budget: WorkBudget;
};

/** By line; null when the file wasn't parsed. */
async function readRoles(
  path: string,
  language: string,
  { name, repository, context, budget }: Parsing,
): Promise<ReadonlyMap<number, NameRole> | null> {
  if (budget.leftMs() === 0) return null;
  const latin1 = (await repository.readFiles(context.head, [path], MAX_PARSED_CHARS)).get(path);
  if (latin1 === undefined) return null;
  const text = decodeBytes(latin1);
  const takes = { language, text, name };
  const reading = await context.reader.ask("name-roles", takes, budget.leftMs(), budget.spend);
  return reading.kind === "read" ? reading.value : null;
}

/** In a file that wasn't parsed, the index still knows the definitions; null when it doesn't know the file. */
function factRole(path: string, facts: NameFacts | null): ((hit: SearchHit) => Role) | null {
  if (facts?.known.includes(path) !== true) return null;
  const kinds = new Map(
    facts.definitions.filter((each) => each.path === path).map(({ line, kind }) => [line, kind]),
  );
  return ({ line }) => {
    const by = kinds.get(line);
    return by === undefined ? { kind: "text", isLikely: false } : { kind: "declaration", by };
  };
}

/** Without a definition in the repository there is nothing to prove. */
function proofOf(hit: SearchHit, facts: NameFacts | null): Occurrence["proof"] {
  if (facts === null || facts.definitions.length === 0 || !facts.known.includes(hit.path)) return null;
  return isCertainPlace(hit, facts) ? "certain" : "same-name";
}

/** Declarations need no proof. */
function proofRank({ role, proof }: Occurrence): number {
  return role.kind !== "declaration" && proof === "same-name" ? 1 : 0;
}

const PROOF_NOTE =
  '"certain": in the file that defines the name, or imported from it; "same name only": may be another one.';

const UNSEARCHED: Readonly<Record<SearchResult["endedBy"], readonly string[]>> = {
  end: [],
  hits: [`Not all files were searched: the name is on more than ${MAX_HITS} lines.`],
  time: ["Not all files were searched: the search ran out of time. Use search_code with a glob."],
};

const PROOFS = { certain: "certain", "same-name": "same name only" } as const;

function textRole(looksDeclared: (hit: SearchHit) => boolean): (hit: SearchHit) => Role {
  return (hit) => ({ kind: "text", isLikely: looksDeclared(hit) });
}

/** A declaring keyword shortly before the name. Linear: lines are bounded, and no repeats overlap. */
function declarationLook(name: string): (hit: SearchHit) => boolean {
  const words =
    "function|class|def|func|fn|interface|type|struct|enum|union|trait|module|namespace|const|let|var|val|sub|proc|macro|define|record|object|protocol|impl";
  const look = new RegExp(`\\b(?:${words})\\b.{0,80}?\\b${name.replaceAll("$", "\\$")}\\b`);
  return ({ text }) => look.test(text.slice(0, MAX_TEXT_CHARS));
}

/** The matching occurrences as an answer. */
export async function showOccurrences(
  { found, textNote, endedBy, machineMade }: Occurrences,
  isWanted: (occurrence: Occurrence) => boolean,
  repository: Repository,
  context: ReadContext & { readonly what: string },
): Promise<ToolResult> {
  const { true: texts = [], false: sure = [] } = Object.groupBy(
    found.filter(isWanted),
    ({ role }) => `${role.kind === "text"}`,
  );
  // Certain uses first, each group in git's order.
  const wanted = [...sure, ...texts].toSorted((one, other) => proofRank(one) - proofRank(other));
  const cut = wanted.length > MAX_SHOWN ? `; the first ${MAX_SHOWN} are shown` : "";
  const shown = wanted.slice(0, MAX_SHOWN);
  const guarded = await guardHits(shown, repository, context);
  const data = shown.map(({ path, line, role, proof }, index): DataLine => {
    const kind =
      role.kind === "declaration" ? role.by : `${role.kind}${proof === null ? "" : `, ${PROOFS[proof]}`}`;
    const text = cutLine((guarded[index]?.shown ?? "").trim(), MAX_TEXT_CHARS);
    return { prefix: `${showPath(path, context.guard)}:${line}: [${kind}] ${text}`, text: "" };
  });
  const count = wanted.length === 0 ? `No ${context.what} found` : `${wanted.length} found${cut}`;
  const hasText = wanted.length === 0 || texts.length > 0;
  const hasProofs = shown.some(({ role, proof }) => role.kind !== "declaration" && proof !== null);
  const notes = [
    ...(hasProofs ? [PROOF_NOTE] : []),
    ...(textNote !== null && hasText ? [textNote] : []),
    ...UNSEARCHED[endedBy],
    ...describeMachineMade(machineMade, context.guard),
  ];
  return { text: [`${count}.`, ...notes].join(" "), data };
}
