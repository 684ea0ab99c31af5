/**
 * Parses a SARIF 2.1.0 file that another tool wrote. The file is untrusted: it can quote the change under review. Only its
 * outline is checked here; a result with a wrong field is skipped or read without that field.
 */
import { KodiaiError } from "../../base/errors.ts";
import { grouped } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import { type JsonObject, listOf, objectOf, stringOf } from "./json-values.ts";

/** GitHub's code scanning accepts 10 MB compressed. Parsing this much takes less than a second. */
export const MAX_SARIF_BYTES = 20_000_000;

/** More results than this aren't read by a person; code scanning has a lower limit. */
const MAX_RESULTS = 50_000;

/** SARIF is about 20 levels deep. Millions of levels would fill the memory. */
const MAX_DEPTH = 200;

const VERSION = "2.1.0";

const EXAMPLE = "Write the file with the tool's own SARIF option, such as `semgrep --sarif --output FILE`.";

export type SarifLog = {
  /** The file as the user named it. */
  readonly name: string;
  readonly runs: readonly JsonObject[];
};

export function parseSarif(bytes: Uint8Array, name: string): SarifLog {
  const text = decode(bytes);
  if (text.trim() === "")
    throw badSarif(`${printable(name)} is empty`, `Check that the tool ran. ${EXAMPLE}`);
  if (isTooDeep(text))
    throw badSarif(`${printable(name)} isn't SARIF: it's nested more than ${MAX_DEPTH} levels deep`, EXAMPLE);
  const log = objectOf(parseJson(text, name));
  const version = stringOf(log["version"]);
  const isSarif =
    Array.isArray(log["runs"]) && (version !== "" || stringOf(log["$schema"]).includes("sarif"));
  if (!isSarif) throw badSarif(`${printable(name)} is JSON, but not SARIF`, EXAMPLE);
  if (version !== VERSION) {
    const shown = version === "" ? "without a version" : printable(version.slice(0, 40));
    throw badSarif(
      `${printable(name)} is SARIF ${shown}, and Kodiai reads ${VERSION}`,
      `Update the tool, or convert the file with \`npx @microsoft/sarif-multitool transform FILE --output NEW\`.`,
    );
  }
  const runs = listOf(log["runs"]).map(objectOf);
  const results = runs.reduce((sum, run) => sum + listOf(run["results"]).length, 0);
  if (results > MAX_RESULTS) {
    throw badSarif(
      `${printable(name)} has ${grouped(results)} results, and Kodiai reads at most ${grouped(MAX_RESULTS)}`,
      "Run the tool on the changed files only, or with fewer rules.",
    );
  }
  return { name, runs };
}

export function badSarif(message: string, hint: string, cause?: unknown): KodiaiError {
  return new KodiaiError("bad-sarif", message, { hint, cause });
}

/** The parser's message isn't shown: it quotes the file, which can contain a secret. */
function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badSarif(`${printable(name)} isn't JSON`, EXAMPLE, error);
  }
}

/** UTF-8, or UTF-16 with a byte order mark as PowerShell writes it. */
function decode(bytes: Uint8Array): string {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  const encoding = isLittle ? "utf-16le" : isBig ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

/** Checked before parsing, in one pass over the text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth--;
  }
  return false;
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);
const OPENING_BRACKET = "[".charCodeAt(0);
const CLOSING_BRACKET = "]".charCodeAt(0);
const OPENING_BRACE = "{".charCodeAt(0);
const CLOSING_BRACE = "}".charCodeAt(0);
