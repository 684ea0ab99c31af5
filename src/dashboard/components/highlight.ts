/** Colours of code, one line at a time: comments, strings, numbers and keywords. It knows no grammar, so a wrong guess costs a colour. */
import { type Html, html } from "./html.ts";

const STRING = String.raw`"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|` + "`(?:\\\\.|[^`\\\\])*`?";
const NUMBER = String.raw`\b\d[\w.]*\b`;
const WORD = String.raw`[A-Za-z_]\w*`;

/** How a comment starts, by the end of the path. */
const HASH_COMMENTS = /(?:\.(?:py|rb|sh|bash|ya?ml|toml|tf|ex|exs|pl|r|cfg|conf|ini)|Dockerfile|Makefile)$/i;
const DASH_COMMENTS = /\.(?:sql|lua|hs|elm)$/i;
const PROSE = /\.(?:md|txt|rst|adoc|lock|csv)$/i;

const TOKENS = {
  hash: tokenPattern("#.*"),
  dash: tokenPattern("--.*"),
  slash: tokenPattern(String.raw`\/\/.*|\/\*.*?(?:\*\/|$)`),
} as const;

function tokenPattern(comment: string): RegExp {
  return new RegExp(`(${comment})|(${STRING})|(${NUMBER})|(${WORD})`, "g");
}

const KEYWORDS: ReadonlySet<string> = new Set(
  `abstract and as assert async await begin break case catch class const continue def default defer del do elif else elsif end enum
   except export extends extern false final finally fn for foreach from func function go goto if impl implements import in
   instanceof interface is lambda let loop match mod module move mut namespace new nil none not null None or override package
   pass private protected pub public raise readonly ref rescue return select self static struct super switch then this throw
   throws trait True False true try type typeof undefined union unless unsafe until use using var virtual void where while with
   yield SELECT FROM WHERE INSERT UPDATE DELETE INTO VALUES AND OR NOT NULL CREATE TABLE ALTER DROP JOIN ON`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const LOOKS = ["tok-comment", "tok-string", "tok-number", "tok-keyword"] as const;

export function highlight(text: string, path: string): Html {
  if (PROSE.test(path)) return html`${text}`;
  const comments = HASH_COMMENTS.test(path) ? "hash" : DASH_COMMENTS.test(path) ? "dash" : "slash";
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS[comments])) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    if (kind === 3 && !KEYWORDS.has(match[0])) continue;
    parts.push(html`${text.slice(end, match.index)}<span class="${LOOKS[kind] ?? ""}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return html`${parts}${text.slice(end)}`;
}
