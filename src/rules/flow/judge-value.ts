/** Decides whether a value does harm in a sink, and which of its holes does. */
import type { Sink } from "./language.ts";
import { isGrammarName, placeHoles, QUERY_START, type SqlPlace, STATEMENT } from "./sql-place.ts";
import { type Hole, literalText, RANK, type Value } from "./value.ts";

export type Harm = { readonly hole: Hole; readonly place: SqlPlace | null };

type JudgedSink = Pick<Sink, "kind" | "form" | "isForParameters">;

/** The program and its option with which a shell is started. */
const SHELL_ARGV =
  /^\s*(?:(?:\/usr)?(?:\/bin\/)?(?:env\s+)?(?:(?:ba|z|da|k)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?|pwsh)\s+)?(?:-\w{0,3}c|\/c|-Command)\b/i;

/** A placeholder with such a name is a program, folder or option that the code chose. */
const OWN_NAME =
  /^(?:cmd|command|bin|binary|exe|python|node|npm|npx|yarn|git|shell|prog|program|compiler|cc|make|sudo|flags|opts|options|args|root|rootDir|cwd|dirname|tmp\w*|version)$/i;

/** Contents and temporary files, whose names the server chooses. */
const NOT_A_PATH =
  /(?:Body|body|InputStream\(\)|Reader\(\)|Stream\(\)|->file\([^()]*\)|(?<!\.(?:query|params|body|cookies|headers|args|form))\.files?|FILES|FILES\[[^\]]*\]|files\[[^\]]*\]|FormFile\([^()]*\)|getPart\([^()]*\)|getContent\(\)|php:\/\/input['"]\)|tmp_name['"]\]|file\.path|(?:read|getBytes|get_data|body|text|json)\(\))$/;

export function judgeValue(sink: JudgedSink, value: Value, checked: ReadonlySet<string>): Harm | null {
  const isOpen = (hole: Hole): boolean =>
    !hole.safeFor.includes(sink.kind) &&
    !checked.has(hole.key) &&
    !(sink.kind === "path" && NOT_A_PATH.test(hole.text));
  switch (sink.form) {
    case "statement":
    case "fragment":
    case "builder":
      return judgeSql(sink.form, value, isOpen);
    case "shell":
      return judgeShell(value, isOpen);
    case "argv": {
      const [first] = value.pieces;
      if (typeof first === "object" && first.rank === RANK.outside && isOpen(first))
        return { hole: first, place: null };
      return SHELL_ARGV.test(literalText(value, "x")) ? judgeShell(value, isOpen) : null;
    }
    case "target":
      return judgeTarget(value, isOpen);
    case "markup":
      return /<[a-z!/]/i.test(literalText(value, "")) ? judgeAny(sink, value, isOpen) : null;
    case "any":
      return judgeAny(sink, value, isOpen);
  }
}

/** A parameter with such a name is meant for users' text; `code` or `source` is meant for the program's own. */
const INPUT_NAME = /^\$?\w*(?:input|expr|expression|formula|equation|payload|body|condition|untrusted)\w*$/i;

function judgeAny(sink: JudgedSink, value: Value, isOpen: (hole: Hole) => boolean): Harm | null {
  const hole = worstOpen(value, isOpen);
  if (hole === null || hole.rank === RANK.opaque) return null;
  if (hole.rank === RANK.outside) return { hole, place: null };
  if (sink.isForParameters !== true) return null;
  if (hole.rank === RANK.weak) return { hole, place: null };
  return value.pieces.length === 1 && INPUT_NAME.test(hole.text) ? { hole, place: null } : null;
}

function worstOpen(value: Value, isOpen: (hole: Hole) => boolean): Hole | null {
  let worst: Hole | null = null;
  for (const piece of value.pieces)
    if (typeof piece === "object" && isOpen(piece) && piece.rank > (worst?.rank ?? 0)) worst = piece;
  return worst;
}

function judgeSql(
  form: "statement" | "fragment" | "builder",
  value: Value,
  isOpen: (hole: Hole) => boolean,
): Harm | null {
  const text = literalText(value, "x");
  const isWhole = value.pieces.length === 1;
  if (form === "builder" && isWhole) return null;
  if (form === "statement" && !isWhole && !STATEMENT.test(text) && !QUERY_START.test(text)) return null;
  // A whole query from a request has a name that says so; other values may be keys or URLs.
  if (form === "statement" && isWhole && !/sql|query|statement/i.test(literalSource(value))) return null;
  let found: Harm | null = null;
  for (const { hole, place } of placeHoles(value.pieces)) {
    if (!isOpen(hole) || hole.rank <= (found?.hole.rank ?? 0)) continue;
    if (hole.rank === RANK.outside || isTextIn(place, hole)) found = { hole, place };
  }
  return found;
}

function literalSource({ pieces: [piece] }: Value): string {
  return typeof piece === "object" ? (/\w+(?=\W*$)/.exec(piece.text)?.[0] ?? "") : "";
}

/** True where a value that the function got is certainly a text in the place of a value. */
function isTextIn(place: SqlPlace, hole: Hole): boolean {
  // A quoted name of a table comes from the program.
  if (place === "quoted") return !isGrammarName(hole.text, true);
  if (hole.rank === RANK.opaque || isGrammarName(hole.text, hole.isText)) return false;
  return place === "value" || (place === "list" && hole.isText);
}

function judgeShell(value: Value, isOpen: (hole: Hole) => boolean): Harm | null {
  const worst = worstOpen(value, isOpen);
  if (worst === null) return null;
  if (worst.rank === RANK.outside) return { hole: worst, place: null };
  if (!value.pieces.some((piece) => typeof piece === "string" && /[a-z]/i.test(piece))) return null;
  for (const [index, piece] of value.pieces.entries()) {
    // The first piece is the program, which the code chose.
    if (typeof piece === "string" || index === 0 || !isOpen(piece) || piece.rank === RANK.opaque) continue;
    if (!OWN_NAME.test(/\w+$/.exec(piece.text)?.[0] ?? "")) return { hole: piece, place: null };
  }
  return null;
}

/** The URL of the request itself and the page before it: an attacker can't choose another host there. */
const OWN_URL =
  /[rR]eferr?er|REFERER|REQUEST_URI|PHP_SELF|HTTP_HOST|getRequestUR|getUri|\(["'][hH]ost["']\)|^(?:\w+\.){0,3}(?:req|request|Request|r|\$request)(?:\.|->)(?:url(?!\.searchParams)|URL(?!\.Query)|originalUrl|nextUrl(?!\.searchParams)|uri|fullpath|full_path|original_url|path|Path|RawUrl|rel_url|[hH]ost|RequestURI)\b/;

/** Only what comes before the path of a URL chooses the server. */
function judgeTarget(value: Value, isOpen: (hole: Hole) => boolean): Harm | null {
  let before = "";
  for (const piece of value.pieces) {
    if (typeof piece === "string") {
      before += piece;
      if (/^(?:redirect:|location:\s*)?(?:https?:)?(?:\/\/)?$/i.test(before.trim())) continue;
      return null;
    }
    const isChosen = piece.rank === RANK.outside && isOpen(piece) && !OWN_URL.test(piece.text);
    return isChosen ? { hole: piece, place: null } : null;
  }
  return null;
}
