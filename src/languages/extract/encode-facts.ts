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

/**
 * A line for each part, because most questions need one part of all files, or all of a few files. Words are base64: the hashes, then
 * the counts. The cache stays on one machine, so the order of bytes is its own.
 */
export function encodeFacts({ imports, definitions, module, words }: FileFacts): string {
  const parts = [
    JSON.stringify([module, words.total]),
    JSON.stringify(
      imports.map(({ specifier, kind, names, moduleAlias, line }) => [
        specifier,
        IMPORT_KINDS.indexOf(kind),
        line,
        moduleAlias,
        ...names.flatMap(({ name, as }) => [name, as === name ? 0 : as]),
      ]),
    ),
    JSON.stringify(
      definitions.map(({ name, kind, line, isExported }) => [
        name,
        DEFINITION_KINDS.indexOf(kind) * 2 + (isExported ? 1 : 0),
        line,
      ]),
    ),
    base64Of(words.hashes),
    base64Of(words.counts),
  ];
  return parts.join("\n");
}

const PARTS = 5;

/** Null for any other text. Reads everything once and keeps only the text, which takes less memory than lists. */
export function decodeFacts(text: string): FileFacts | null {
  try {
    const facts = openFacts(text);
    return facts === null || !Array.isArray(facts.imports) || !Array.isArray(facts.definitions)
      ? null
      : openFacts(text);
  } catch {
    return null;
  }
}

/** For text that `decodeFacts` has read before, as a cache holds it: its parts are read when they are needed. */
export function openFacts(text: string): FileFacts | null {
  const [head = "", importList = "", definitionList = "", hashes = "", counts = "", ...more] = text.split(
    "\n",
    PARTS + 1,
  );
  if (more.length > 0) return null;
  const summary = parseList(head);
  const [module, total] = summary ?? [];
  const readWords = openWords(total, hashes, counts);
  if (summary === null || readWords === null || (module !== null && typeof module !== "string")) return null;
  let [imports, definitions, words]: [FileFacts["imports"]?, FileFacts["definitions"]?, WordCounts?] = [];
  return {
    get imports() {
      return (imports ??= decodeList(importList, decodeImport));
    },
    get definitions() {
      return (definitions ??= decodeList(definitionList, decodeDefinition));
    },
    module,
    get words() {
      return (words ??= readWords());
    },
  };
}

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function decodeList<Value>(text: string, decode: (value: unknown) => Value | null): readonly Value[] {
  const values = parseList(text)?.map(decode);
  if (values === undefined || !isComplete(values)) throw new Error("stored facts can't be read");
  return values;
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
