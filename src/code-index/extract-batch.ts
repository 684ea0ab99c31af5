/** Extracts the facts of a batch in the reader. If that fails, the files are tried one by one, so that one file loses only its own facts. */
import type { CodeReader } from "../reading/reader.ts";
import { decodeFacts } from "../languages/extract/encode-facts.ts";
import type { FileFacts } from "../languages/file-facts.ts";
import type { WantedFile } from "./plan-files.ts";
import type { FileText } from "./read-indexed-texts.ts";

/** A batch takes a tenth of a second. The limit is for a machine that is very busy. */
const MAX_BATCH_MS = 30_000;

const MAX_FILE_MS = 10_000;

export type ExtractedFile = {
  readonly file: WantedFile;
  readonly text: FileText;
  /** Both null if no facts could be extracted. */
  readonly encoded: string | null;
  readonly facts: FileFacts | null;
};

export async function extractBatch(
  texts: readonly FileText[],
  reader: CodeReader,
): Promise<readonly ExtractedFile[]> {
  if (texts.length === 0) return [];
  const all = await ask(texts, reader, texts.length === 1 ? MAX_FILE_MS : MAX_BATCH_MS);
  if (all !== null || texts.length === 1) return texts.map((text, index) => decoded(text, all?.[index]));
  const extracted: ExtractedFile[] = [];
  for (const text of texts) extracted.push(decoded(text, (await ask([text], reader, MAX_FILE_MS))?.[0]));
  return extracted;
}

async function ask(
  texts: readonly FileText[],
  reader: CodeReader,
  maxMs: number,
): Promise<readonly string[] | null> {
  const files = texts.map(({ file, text }) => ({ language: file.language, text }));
  const reading = await reader.ask("extract-facts", { files }, maxMs);
  return reading.kind === "read" && reading.value.length === texts.length ? reading.value : null;
}

function decoded(text: FileText, encoded: string | undefined): ExtractedFile {
  const facts = encoded === undefined ? null : decodeFacts(encoded);
  return { file: text.file, text, encoded: facts === null ? null : (encoded ?? null), facts };
}
