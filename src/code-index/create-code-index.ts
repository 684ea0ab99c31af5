/**
 * The code index over any store: known facts come from the store; other files are read in batches, and their facts are
 * extracted by the reader and stored batch by batch, so that an interrupted run keeps the facts it has.
 */
import { yieldToEventLoop } from "../base/event-loop.ts";
import type { CodeReader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import { openFacts } from "../languages/extract/encode-facts.ts";
import type { FileFacts } from "../languages/file-facts.ts";
import type { CodeIndex, FactsRead, NoFactsReason } from "./code-index.ts";
import { extractBatch } from "./extract-batch.ts";
import type { FactsStore } from "./facts-store.ts";
import { planFiles, type WantedFile } from "./plan-files.ts";
import { readIndexedTexts } from "./read-indexed-texts.ts";

/** Texts per task of the reader, so that no message is much larger than the largest file. */
const MAX_BATCH_BYTES = 512 * 1024;

/** Small files have a cost of their own. */
const MAX_BATCH_FILES = 500;

/** The reader works on one while the facts of another are stored, and the texts of a third are read. */
const BATCHES_AT_ONCE = 3;

/** No key of facts. Change it with the text of `readCoChanges`. */
const COMMITS_KEY = "commits 1";

/** Files that are looked up before other events get their turn. */
const MAX_KEYS_AT_ONCE = 500;

export function createCodeIndex({
  repository,
  reader,
  store,
}: {
  readonly repository: Repository;
  readonly reader: CodeReader;
  readonly store: FactsStore;
}): CodeIndex {
  return {
    async readFacts(revision, files, { signal, onProgress }) {
      const facts = new Map<string, FileFacts>();
      const failed: { path: string; reason: NoFactsReason }[] = [];
      const wanted = planFiles(files, failed);
      const report = (): void => onProgress?.(facts.size + failed.length, files.length);
      const add = ({ paths }: WantedFile, found: FileFacts): void => {
        for (const path of paths) facts.set(path, found);
      };
      // The reader starts while the rest of the store is read.
      const unknown = await readKnown(wanted, store, { signal, add, onUnknown: () => reader.warm() });
      const known = facts.size;
      report();
      const extract = async (batch: readonly WantedFile[]) => {
        const texts = await readIndexedTexts(batch, { repository, revision });
        return { missing: texts.missing, extracted: await extractBatch(texts.found, reader) };
      };
      const batches = batchesOf(unknown);
      const ahead: ReturnType<typeof extract>[] = [];
      for (const [index, batch] of batches.entries()) {
        signal.throwIfAborted();
        for (const next of batches.slice(index + ahead.length, index + BATCHES_AT_ONCE)) {
          const extracting = extract(next);
          // A failure is reported when its turn comes.
          extracting.catch(() => {});
          ahead.push(extracting);
        }
        const { missing, extracted } = await (ahead.shift() ?? extract(batch));
        store.write(
          extracted.flatMap(({ file, text, encoded }) =>
            encoded === null || !text.isStorable ? [] : [{ key: file.key, facts: encoded }],
          ),
        );
        for (const { file, facts: found } of extracted) {
          if (found === null) failed.push(...file.paths.map((path) => ({ path, reason: "failed" as const })));
          else add(file, found);
        }
        for (const { paths } of missing) {
          failed.push(...paths.map((path) => ({ path, reason: "unreadable" as const })));
        }
        report();
      }
      signal.throwIfAborted();
      return {
        facts,
        failed,
        known,
        read: facts.size - known,
        cacheProblem: store.problem(),
      } satisfies FactsRead;
    },
    keptCommits: {
      read: async () => store.read([COMMITS_KEY]).get(COMMITS_KEY) ?? null,
      write: async (facts) => store.write([{ key: COMMITS_KEY, facts }]),
    },
    close: () => store.close(),
  };
}

/** Adds the facts that the store has, and returns the other files. */
async function readKnown(
  wanted: readonly WantedFile[],
  store: FactsStore,
  {
    signal,
    add,
    onUnknown,
  }: {
    readonly signal: AbortSignal;
    readonly add: (file: WantedFile, facts: FileFacts) => void;
    /** Called once. */
    readonly onUnknown: () => void;
  },
): Promise<readonly WantedFile[]> {
  const unknown: WantedFile[] = [];
  let isWarm = false;
  for (let from = 0; from < wanted.length; from += MAX_KEYS_AT_ONCE) {
    signal.throwIfAborted();
    const some = wanted.slice(from, from + MAX_KEYS_AT_ONCE);
    const stored = store.read(some.map(({ key }) => key));
    for (const file of some) {
      const text = stored.get(file.key);
      const facts = text === undefined ? null : openFacts(text);
      if (facts === null) unknown.push(file);
      else add(file, facts);
    }
    if (!isWarm && unknown.length > 0) {
      isWarm = true;
      onUnknown();
    }
    await yieldToEventLoop();
  }
  return unknown;
}

function batchesOf(files: readonly WantedFile[]): readonly (readonly WantedFile[])[] {
  const batches: WantedFile[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    bytes += file.bytes;
    const last = batches.at(-1);
    if (last !== undefined && bytes <= MAX_BATCH_BYTES && last.length < MAX_BATCH_FILES) last.push(file);
    else {
      batches.push([file]);
      bytes = file.bytes;
    }
  }
  return batches;
}
