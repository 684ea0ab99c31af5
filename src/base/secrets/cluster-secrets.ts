/** Finds the values of Kubernetes secrets: whatever their names are, all that is below `data` and `stringData` is secret. */
import type { SecretSpan } from "./secret-span.ts";
import { isReference, isStandIn } from "./value-strength.ts";

const SECRET_KIND = /(?:^|[ \t+-])["']?kind["']?:[ \t]{0,4}["']?Secret["']?[ \t,]{0,4}\r?$/m;
const DOCUMENT_END = /^(?:[ \d]{1,20}\|)?[+-]?---[ \t]{0,4}\r?$/m;
const BLOCK = /^(?:[ \d]{1,20}\|)?[+-]?(?<indent>[ \t]{0,40})["']?(?:data|stringData)["']?:[ \t{]{0,4}\r?$/;
const ENTRY =
  /^(?:[ \d]{1,20}\|)?[+-]?(?<indent>[ \t]{0,40})(?:["']?[\w.-]{1,253}["']?:[ \t]{1,8})?["']?(?<value>[^\s"'{}|>][^\n"']{0,8000})?/;

export function findClusterSecrets(text: string): readonly SecretSpan[] {
  if (!SECRET_KIND.test(text)) return [];
  const spans: SecretSpan[] = [];
  let start = 0;
  for (const document of text.split(DOCUMENT_END)) {
    const at = text.indexOf(document, start);
    start = at + document.length;
    if (SECRET_KIND.test(document)) spans.push(...valuesIn(document, at));
  }
  return spans;
}

function valuesIn(document: string, offset: number): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  let start = offset;
  let blockIndent = -1;
  for (const line of document.split("\n")) {
    const block = BLOCK.exec(line)?.groups?.["indent"]?.length;
    const entry = ENTRY.exec(line)?.groups ?? {};
    const value = (entry["value"] ?? "").trimEnd().replace(/,$/, "");
    if (block !== undefined) blockIndent = block;
    else if (line.trim() !== "" && (entry["indent"]?.length ?? 0) <= blockIndent) blockIndent = -1;
    else if (blockIndent >= 0 && value.length >= 4 && !isStandIn(value) && !isReference(value)) {
      const from = start + line.lastIndexOf(value);
      spans.push({ kind: "kubernetes-secret", start: from, end: from + value.length });
    }
    start += line.length + 1;
  }
  return spans;
}
