/** Where a hole is in a piece of SQL, by the text around it. */
import type { Hole, Piece } from "./value.ts";

/** The text begins a statement that is worth running. */
export const STATEMENT =
  /^[\s(]*(?:WITH\s[^]*\bSELECT\b|SELECT\b[^]*\bFROM\b|INSERT\s+(?:IGNORE\s+)?INTO\b|REPLACE\s+INTO\b|UPDATE\s+\S+\s+SET\b|DELETE\s+FROM\b|DROP\s+\w+|ALTER\s+\w+|TRUNCATE\s+\w+|CREATE\s+(?:TABLE|USER|ROLE|DATABASE|VIEW|INDEX)\b|EXEC(?:UTE)?\s+\w+|CALL\s+\w+)/i;

/** A JPA query may begin with its table. */
export const QUERY_START = /^\s*(?:FROM\s+[A-Z]\w*|SELECT\b|UPDATE\b|DELETE\b)/i;

export type SqlPlace = "quoted" | "value" | "list" | "order" | "limit" | "table" | "other";

export type PlacedHole = { readonly hole: Hole; readonly place: SqlPlace };

/** Enough of the text before a hole to see its operator. */
const MAX_TEXT_BEFORE = 120;

export function placeHoles(pieces: readonly Piece[]): readonly PlacedHole[] {
  const placed: PlacedHole[] = [];
  let before = "";
  let isQuoted = false;
  for (const [index, piece] of pieces.entries()) {
    if (typeof piece === "string") {
      before = (before + piece).slice(-MAX_TEXT_BEFORE);
      isQuoted = isQuoted !== (piece.split("'").length % 2 === 0);
      continue;
    }
    const next = pieces[index + 1];
    placed.push({ hole: piece, place: placeOf(before, typeof next === "string" ? next : "", isQuoted) });
    before += "0";
  }
  return placed;
}

function placeOf(before: string, after: string, isQuoted: boolean): SqlPlace {
  if (isQuoted)
    return /(?:[=<>(,]|\b(?:like|in|ilike|similar to))\s*[NE]?\\?'%?$/i.test(before) && /^%?\\?'/.test(after)
      ? "quoted"
      : "other";
  if (/\b(?:ORDER|GROUP)\s+BY\s+[\w.,\s`"]{0,80}$/i.test(before)) return "order";
  if (/\bIN\s*\(\s*$/i.test(before)) return "list";
  if (/\b(?:LIMIT|OFFSET)\s*$/i.test(before)) return "limit";
  if (/\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+[`"[]?$/i.test(before)) return "table";
  const isValue = /(?:[=<>]|\bLIKE|\bVALUES\s*\()\s*$/i.test(before) && !/^[.\w(:"[]/.test(after);
  return isValue ? "value" : "other";
}

/** Words in a name that say: this is a piece of SQL. */
const GRAMMAR: ReadonlySet<string> = new Set(
  `placeholder placeholders column columns col cols field fields alias table tables expr expression sql query cond condition
  conditions where clause clauses param params mark marks bind binds prefix schema func function fragment literal stmt
  select subquery cte join order sort direction dir interval limit offset`.split(/\s+/),
);

/** Words in a name that say: this is a number or a time. */
const NUMBER: ReadonlySet<string> = new Set(
  `length count num number index idx size now time timestamp date day days month year pk oid rowid page total max
  min age version seconds minutes hours threshold batch chunk position rank score status state type flag enabled active
  val lit`.split(/\s+/),
);

/** True for `columnNames`, and for `row_count` unless it is declared as text. Whole words count: not `account`. */
export function isGrammarName(text: string, isText: boolean): boolean {
  const last = /\w+(?=\W*$)/.exec(text)?.[0] ?? "";
  const words = last.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
  return words.some((word) => GRAMMAR.has(word) || (!isText && NUMBER.has(word) && !words.includes("phone")));
}
