/** Writes facts as compact text, for the reader's answers and the cache, and reads them again. */
import type { DefinitionFact, FileFacts, ImportedName, ImportFact, WordCounts } from "../file-facts.ts";

const IMPORT_KINDS: readonly ImportFact["kind"][] = ["import", "re-export", "module", "include", "system"];
const DEFINITION_KINDS: readonly DefinitionFact["kind"][] = [
  "function",
  "class",
  "type",
  "variable",
  "method",
  "module",
];

/** Words are base64: the hashes, then the counts. The cache stays on one machine, so the order of bytes is its own. */
export function encodeFacts({ imports, definitions, module, words }: FileFacts): string {
  return JSON.stringify([
    imports.map(({ specifier, kind, names, moduleAlias, line }) => [
      specifier,
      IMPORT_KINDS.indexOf(kind),
      line,
      moduleAlias,
      ...names.flatMap(({ name, as }) => [name, as === name ? 0 : as]),
    ]),
    definitions.map(({ name, kind, line, isExported }) => [
      name,
      DEFINITION_KINDS.indexOf(kind) * 2 + (isExported ? 1 : 0),
      line,
    ]),
    module,
    words.total,
    base64Of(words.hashes),
    base64Of(words.counts),
  ]);
}

/** Null for any other text. */
export function decodeFacts(text: string): FileFacts | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!Array.isArray(value)) return null;
  const [imports, definitions, module, total, hashes, counts]: unknown[] = value;
  const readWords = openWords(total, hashes, counts);
  if (!Array.isArray(imports) || !Array.isArray(definitions) || readWords === null) return null;
  if (module !== null && typeof module !== "string") return null;
  const read = { imports: imports.map(decodeImport), definitions: definitions.map(decodeDefinition) };
  if (!isComplete(read.imports) || !isComplete(read.definitions)) return null;
  let words: WordCounts | null = null;
  return {
    imports: read.imports,
    definitions: read.definitions,
    module,
    // Most of the text is words, and most questions need those of a few files.
    get words() {
      return (words ??= readWords());
    },
  };
}

function isComplete<Value>(values: readonly (Value | null)[]): values is readonly Value[] {
  return !values.includes(null);
}

function decodeImport(value: unknown): ImportFact | null {
  if (!Array.isArray(value)) return null;
  const [specifier, kindIndex, line, moduleAlias, ...rest]: unknown[] = value;
  const kind = typeof kindIndex === "number" ? IMPORT_KINDS[kindIndex] : undefined;
  if (typeof specifier !== "string" || kind === undefined || typeof line !== "number") return null;
  if (moduleAlias !== null && typeof moduleAlias !== "string") return null;
  const names: ImportedName[] = [];
  for (let index = 0; index < rest.length; index += 2) {
    const [name, as] = [rest[index], rest[index + 1]];
    if (typeof name !== "string") return null;
    names.push({ name, as: typeof as === "string" ? as : name });
  }
  return { specifier, kind, names, moduleAlias, line };
}

function decodeDefinition(value: unknown): DefinitionFact | null {
  if (!Array.isArray(value)) return null;
  const [name, kindAndExport, line]: unknown[] = value;
  if (typeof name !== "string" || typeof kindAndExport !== "number" || typeof line !== "number") return null;
  const kind = DEFINITION_KINDS[kindAndExport >> 1];
  return kind === undefined ? null : { name, kind, line, isExported: kindAndExport % 2 === 1 };
}

/** Null if the words can't be read. */
function openWords(total: unknown, hashes: unknown, counts: unknown): (() => WordCounts) | null {
  if (typeof total !== "number" || typeof hashes !== "string" || typeof counts !== "string") return null;
  const [hashBytes, countBytes] = [Buffer.byteLength(hashes, "base64"), Buffer.byteLength(counts, "base64")];
  if (hashBytes !== countBytes * 2 || hashBytes % 4 !== 0) return null;
  return () => ({
    hashes: new Uint32Array(bytesOfBase64(hashes)),
    counts: new Uint16Array(bytesOfBase64(counts)),
    total,
  });
}

function base64Of({ buffer, byteOffset, byteLength }: Uint32Array | Uint16Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

/** A buffer of its own, because a pooled one may not be aligned. */
function bytesOfBase64(text: string): ArrayBuffer {
  const bytes = new ArrayBuffer(Buffer.byteLength(text, "base64"));
  Buffer.from(bytes).write(text, "base64");
  return bytes;
}
