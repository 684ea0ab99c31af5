/** Finds the values of Kubernetes secrets. Everything below `data` and `stringData` is secret, whatever its name. */
import type { SecretSpan } from "./secret-span.ts";
import { isReference, isStandIn } from "./value-strength.ts";

const SECRET_KIND = /(?:^|[ \t+-])["']?kind["']?:[ \t]{0,4}["']?Secret["']?[ \t,]{0,4}\r?$/m;
/** A line of dashes, the fence of a code block, or the first line of the next object ends an object. */
const OBJECT_END = /^(?:[ \d]{1,20}\|)?[+-]?[ \t]{0,40}(?:---[ \t]{0,4}\r?$|```|(?=["']?apiVersion["']?:))/m;
/** Entries that describe a secret but aren't secret. */
const HARMLESS_ENTRY = /^["']?(?:type|name|url|server|host|port|project|namespaces?|region|endpoint)["']?:/;
const BLOCK = /^(?:[ \d]{1,20}\|)?[+-]?(?<indent>[ \t]{0,40})["']?(?:data|stringData)["']?:[ \t{]{0,4}\r?$/;
/** No value is without a block. */
const NAMES_BLOCK = /[dD]ata/;
const ENTRY =
  /^(?:[ \d]{1,20}\|)?[+-]?(?<indent>[ \t]{0,40})(?<name>["']?[\w./-]{1,253}["']?:(?:[ \t]{1,8}|\r?$))?["']?(?<value>[^\n"']{0,8000})/;
const BLOCK_SCALAR = /^[|>][+-]?\d?$/;

/** Shorter values are numbers and the marks of block scalars. */
const MIN_VALUE_CHARS = 4;

export function findClusterSecrets(text: string): readonly SecretSpan[] {
  if (!SECRET_KIND.test(text)) return [];
  const spans: SecretSpan[] = [];
  let start = 0;
  for (const object of text.split(OBJECT_END)) {
    const at = text.indexOf(object, start);
    start = at + object.length;
    if (NAMES_BLOCK.test(object) && SECRET_KIND.test(object))
      for (const span of valuesIn(object, at)) spans.push(span);
  }
  return spans;
}

function valuesIn(object: string, offset: number): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let start = offset;
  let blockIndent = -1;
  /** The lines of a block scalar are indented more than its name. */
  let scalarIndent = Number.POSITIVE_INFINITY;
  for (const line of object.split("\n")) {
    const block = BLOCK.exec(line)?.groups?.["indent"]?.length;
    const { indent = "", name, value: rest = "" } = ENTRY.exec(line)?.groups ?? {};
    const value = rest
      .replace(/[ \t]+#.*$|^#.*$/, "")
      .trimEnd()
      .replace(/,$/, "");
    const isValue = name !== undefined || indent.length > scalarIndent;
    if (block !== undefined) blockIndent = block;
    else if (line.trim() !== "" && indent.length <= blockIndent) blockIndent = -1;
    else if (blockIndent >= 0 && isValue && isSecret(value) && !HARMLESS_ENTRY.test(line.trim())) {
      const from = start + line.lastIndexOf(value);
      spans.push({ kind: "kubernetes-secret", start: from, end: from + value.length });
    }
    if (indent.length <= scalarIndent && name !== undefined)
      scalarIndent = BLOCK_SCALAR.test(value) ? indent.length : Number.POSITIVE_INFINITY;
    start += line.length + 1;
  }
  return spans;
}

function isSecret(value: string): boolean {
  return value.length >= MIN_VALUE_CHARS && !isStandIn(value) && !isReference(value);
}
