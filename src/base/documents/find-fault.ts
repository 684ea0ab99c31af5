/**
 * Finds where a data file stops being one, in its parser's words. Parsers are loaded on demand.
 */
import type { Fault } from "./fault.ts";
import { createLineIndex } from "./line-index.ts";

/** Null for a text that parses, or that is nested too deeply to be tried. */
export type FindFault = (text: string) => Fault | null;

/** Null for other languages. */
export async function loadFaultFinder(language: string): Promise<FindFault | null> {
  switch (language) {
    case "json":
      return findJsonFault;
    case "yaml":
      return (await import("./find-yaml-fault.ts")).findYamlFault;
    case "toml":
      return findTomlFaultWith((await import("smol-toml")).parse);
    case "xml":
      return findXmlFaultWith((await import("@rgrove/parse-xml")).parseXml);
    default:
      return null;
  }
}

/** A phrase of a message: its first line, without quoted text of the file. */
function wordsOf(message: string): string {
  const [first = ""] = message.split("\n");
  const words = first.replaceAll(/"[^"]{4,}"|'[^']{4,}'/g, "…").trim();
  return words.length > 100 ? "" : words.replace(/[.:]$/, "");
}

/** Node's message ends with its position, or with an excerpt. */
const JSON_MESSAGE =
  /^(.{1,80}?)(?:,? "?.{0,3}".*"(?:\.\.\.)? is not valid JSON| in JSON at position (\d+).*)$/s;

function findJsonFault(text: string): Fault | null {
  try {
    JSON.parse(text.charCodeAt(0) === 0xfeff ? ` ${text.slice(1)}` : text);
    return null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) return null;
    const [, words = "", position] = JSON_MESSAGE.exec(error.message) ?? [];
    const offset = position === undefined ? faultOffset(text) : Number(position);
    return { line: createLineIndex(text).lineAt(offset), words: wordsOf(words) };
  }
}

const JSON_TOKEN =
  /\s+|"(?:[^"\\\u0000-\u001f]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y;

/** Node gives no position when it shows an excerpt: the first text that is no token, or the end of a short text. */
function faultOffset(text: string): number {
  JSON_TOKEN.lastIndex = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const open: string[] = [];
  let before = "";
  for (let at = JSON_TOKEN.lastIndex; at < text.length; at = JSON_TOKEN.lastIndex) {
    const token = JSON_TOKEN.exec(text)?.[0];
    if (token === undefined) return at;
    if (token.trim() === "") continue;
    if (!fitsAfter(before, token, open)) return at;
    before = token;
  }
  return Math.max(0, text.trimEnd().length - 1);
}

/** Follows the grammar of JSON closely enough to find the first wrong token. */
function fitsAfter(before: string, token: string, open: string[]): boolean {
  const isValueEnd = before !== "" && !"[{,:".includes(before);
  if (token === "," || token === ":") return isValueEnd && open.length > 0;
  if (token === "]" || token === "}")
    return open.pop() === (token === "]" ? "[" : "{") && before !== "," && before !== ":";
  if (isValueEnd) return false;
  if (token === "[" || token === "{") open.push(token);
  return true;
}

function findTomlFaultWith(parse: (text: string) => unknown): FindFault {
  return (text) => {
    try {
      parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
      return null;
    } catch (error) {
      if (!(error instanceof Error) || !("line" in error) || typeof error.line !== "number") return null;
      return { line: error.line, words: wordsOf(error.message.replace("Invalid TOML document: ", "")) };
    }
  };
}

function findXmlFaultWith(parse: (text: string) => unknown): FindFault {
  return (text) => {
    try {
      parse(text);
      return null;
    } catch (error) {
      if (!(error instanceof Error) || !("line" in error) || typeof error.line !== "number") return null;
      // Entities can be declared elsewhere.
      if (/\bentity\b/i.test(error.message.split("\n")[0] ?? "")) return null;
      return { line: error.line, words: wordsOf(error.message.replace(/ \(line \d+, column \d+\)/, "")) };
    }
  };
}
