/**
 * Embeds the memories of a repository that have no vector in the current space: new ones, and all of them after the provider, the model or
 * its dimensions have changed. Each batch gets its vectors and its space in one transaction, so that a crash repeats one request at most
 * and a memory is in one space at any time. A search during a change finds those that are done.
 */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { Embeddings } from "../../embeddings/embeddings.ts";
import { memoryText } from "../../memory/memory-text.ts";
import type { Database } from "../../store/database.ts";
import {
  dropVectors,
  listUnembedded,
  markEmbedded,
  type MemoryRow,
  memoryScope,
} from "../../store/repositories/memories.ts";
import { type MemorySpaces, readMemorySpaces } from "../../store/repositories/memory-spaces.ts";
import type { VectorSpace } from "../../store/vectors/vectors.ts";
import type { JobContext, JobOutcome, Recipe } from "../recipe.ts";
import { parseEmbedJob } from "./embed-job.ts";
import type { MemorySource } from "./memory-source.ts";

/** Parsing the answer and writing the vectors take some milliseconds, in which the process does nothing else. */
export const EMBED_BATCH = 16;

/** After that, other upkeep has its turn. With a remote provider it takes some seconds. */
export const MAX_EMBEDDED_PER_TURN = 512;

/** How often a provider is asked again that refused the key, the model or the request. */
export const BLOCKED_RETRY_MS = 60 * 60 * 1_000;

/** If more texts than that are refused one by one, it isn't because of the texts. */
const MAX_REFUSED = 3;

export type EmbedDeps = {
  readonly database: Database;
  readonly memory: MemorySource;
  readonly now: () => number;
};

export function createEmbedRecipe(deps: EmbedDeps): Recipe {
  return { run: (context) => embedMemories(context, deps), giveUp: async () => {} };
}

async function embedMemories(context: JobContext, deps: EmbedDeps): Promise<JobOutcome> {
  const { job, log } = context;
  const { repositoryId } = parseEmbedJob(job.payload);
  const spaces = await readMemorySpaces(repositoryId, deps.database);
  if (spaces === null) return { state: "skipped", reason: "skipped:no-memories" };
  const { embeddings, problem } = await openFor(spaces, deps.memory);
  if (problem !== null) log.warn("embeddings of the repository can't be used", { problem });
  if (!isDue(spaces, embeddings)) return { state: "done", reason: "embedded:nothing to do" };
  if (embeddings === null) return removeAll(repositoryId, context, deps);
  await context.step("embedding memories");
  const turn = openTurn(repositoryId, embeddings, { ...deps, signal: context.signal });
  try {
    const isFinished = await turn.embedAll(currentSpace(spaces, embeddings));
    const reason = `embedded:${count(turn.counts.memories, "memory", "memories")}`;
    return isFinished
      ? { state: "done", reason }
      : { state: "wait", untilMs: deps.now(), reason: `waiting:more, ${reason}` };
  } catch (error) {
    // The worker repeats what may succeed soon. The rest needs a change by the operator.
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    log.warn("embedding failed", { reason: error.message, hint: error.hint });
    return { state: "wait", untilMs: deps.now() + BLOCKED_RETRY_MS, reason: `waiting:${error.code}` };
  } finally {
    log.info("memories embedded", { repository: repositoryId, embeddings: embeddings.id, ...turn.counts });
  }
}

/** Vectors of an earlier provider, or of versions that had local ones, take space and find nothing. */
async function removeAll(
  repositoryId: number,
  context: JobContext,
  { database, now }: EmbedDeps,
): Promise<JobOutcome> {
  await context.step("removing vectors");
  for (let removed = 0; removed < MAX_EMBEDDED_PER_TURN; removed += EMBED_BATCH) {
    const dropped = await database.transaction((sql) =>
      dropVectors({ repositoryId, limit: EMBED_BATCH }, sql),
    );
    if (dropped < EMBED_BATCH) return { state: "done", reason: "embedded:vectors removed" };
  }
  return { state: "wait", untilMs: now(), reason: "waiting:more vectors to remove" };
}

export function openFor(
  { embeddings }: MemorySpaces,
  memory: MemorySource,
): ReturnType<MemorySource["openEmbeddings"]> {
  return memory.openEmbeddings(embeddings === "" ? null : embeddings);
}

/** Whether memories of the repository are without a vector, or in several spaces, or in that of another model. Without one: in any. */
export function isDue(
  { hasUnembedded, spaces }: MemorySpaces,
  embeddings: Pick<Embeddings, "spaceName"> | null,
): boolean {
  if (embeddings === null) return spaces.length > 0;
  const { spaceName } = embeddings;
  return hasUnembedded || spaces.length !== 1 || spaces.some((space) => !isNamed(space, spaceName));
}

/** The dimensions come last; see `store/vectors/space.ts`. */
function isNamed(space: string, spaceName: string): boolean {
  return space.startsWith(`${spaceName}/`) && /^\d+$/.test(space.slice(spaceName.length + 1));
}

function keyOf({ name, dimensions }: VectorSpace): string {
  return `${name}/${dimensions}`;
}

/** The model's space when it was last used; "" if it wasn't. Only an answer shows whether it's still the same. */
function currentSpace({ spaces }: MemorySpaces, { spaceName }: Embeddings): string {
  return spaces.find((space) => isNamed(space, spaceName)) ?? "";
}

type TurnDeps = EmbedDeps & { readonly signal: AbortSignal };

type Turn = {
  /** For the log: what it cost. */
  readonly counts: { memories: number; refused: number; requests: number; characters: number };
  /** False if there are more memories than a turn embeds. */
  embedAll(space: string): Promise<boolean>;
};

function openTurn(repositoryId: number, embeddings: Embeddings, deps: TurnDeps): Turn {
  const counts = { memories: 0, refused: 0, requests: 0, characters: 0 };
  const refused = new Set<number>();
  const answered = new Set<string>();

  /** Returns the space of the answer. */
  async function embedBatch(rows: readonly MemoryRow[]): Promise<string> {
    const texts = rows.map(memoryText);
    counts.requests++;
    counts.characters += texts.reduce((sum, { length }) => sum + length, 0);
    const { space, vectors } = await embeddings.embed(texts, "document", deps.signal);
    answered.add(keyOf(space));
    if (answered.size > 1) throw changingSpace(embeddings);
    const scope = memoryScope(repositoryId);
    counts.memories += await deps.database.transaction(async (sql) => {
      // Those that were changed or deleted in the meantime don't get the vector of their former text.
      const unchanged = new Set(await markEmbedded(rows, keyOf(space), sql));
      const entries = rows.flatMap(({ id }, index) => {
        const vector = vectors[index];
        return vector === undefined || !unchanged.has(id) ? [] : [{ id, scope, space, vector }];
      });
      await deps.memory.vectors.put(entries, sql);
      reachFaultPoint("in-embedding");
      return entries.length;
    });
    reachFaultPoint("after-embedding");
    return keyOf(space);
  }

  /** One text that the provider refuses doesn't keep the others from being embedded. */
  async function embedOneByOne(rows: readonly MemoryRow[], whole: KodiaiError): Promise<void> {
    for (const row of rows) {
      try {
        await embedBatch([row]);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused.add(row.id);
        counts.refused = refused.size;
        if (refused.size > MAX_REFUSED) throw whole;
      }
    }
  }

  return {
    counts,
    async embedAll(known) {
      let space = known;
      for (let read = 0; read < MAX_EMBEDDED_PER_TURN; read += EMBED_BATCH) {
        const limit = EMBED_BATCH + refused.size;
        const listed = await listUnembedded({ repositoryId, space, limit }, deps.database);
        const rows = listed.filter(({ id }) => !refused.has(id)).slice(0, EMBED_BATCH);
        if (rows.length === 0) return true;
        try {
          space = await embedBatch(rows);
        } catch (error) {
          if (!isRefusal(error)) throw error;
          await embedOneByOne(rows, error);
          space = [...answered][0] ?? space;
        }
      }
      return false;
    },
  };
}

/** The provider refuses these texts, or its answer to them is unusable. Trying again wouldn't help. */
function isRefusal(error: unknown): error is KodiaiError {
  return error instanceof KodiaiError && error.code === "bad-payload";
}

/** Two servers behind one address would embed everything again and again. */
function changingSpace({ id }: Embeddings): KodiaiError {
  return new KodiaiError("config", `${id} answers with different dimensions`, {
    hint: "Check that only one model answers at that address.",
  });
}
