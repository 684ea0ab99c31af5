/**
 * The journal of one review: every paid answer of a provider is on disk before it is used. A review that is killed runs again from the
 * start, asks the same questions, and gets the answers from here. A request that was sent and not answered may have been paid: it
 * counts with the most that it can cost, and is sent again.
 *
 * One conversation runs at a time, so records belong to the last request with their key.
 */
import * as z from "zod";
import { hashParts } from "../../base/hash.ts";
import { parseJson } from "../../base/parse-json.ts";
import type { Exchange } from "../../model/exchange.ts";
import { type AppendFile, openAppendFile } from "./append-file.ts";

const JournalRecord = z.discriminatedUnion("kind", [
  /** `usd`: the most that the request can cost; null for an unknown price. */
  z.object({ kind: z.literal("sent"), key: z.string(), usd: z.number().nullable() }),
  z.object({
    kind: z.literal("answered"),
    key: z.string(),
    type: z.string(),
    /** Base64 of the bytes that arrived. */
    body: z.string(),
    /** The connection broke in the middle. */
    isCut: z.boolean(),
    /** How long the provider took. */
    ms: z.number(),
  }),
  /** The provider refused the request, or was never reached: nothing was paid. */
  z.object({ kind: z.literal("refused"), key: z.string() }),
  z.object({ kind: z.literal("counted"), key: z.string(), usd: z.number().nullable() }),
]);
type JournalRecord = z.infer<typeof JournalRecord>;
type Answered = Extract<JournalRecord, { kind: "answered" }>;

type Attempt = {
  readonly key: string;
  readonly boundUsd: number | null;
  answer: Answered | null;
  isRefused: boolean;
  countedUsd: number | null | undefined;
  /** The review has used its answer in this process. */
  isUsed: boolean;
};

export type JournalCosts = {
  readonly usd: number;
  /** Null: of a request, the price is unknown. */
  readonly isPriced: boolean;
  /** Requests of an earlier process without an answer, which may have been paid. */
  readonly unanswered: number;
};

export type AnswerJournal = {
  costs(): JournalCosts;
  readonly exchange: Exchange;
  /** A call is about to be made, and can cost this much; null if its price is unknown. */
  expect(usd: number | null): void;
  /** For an adapter whose program sends the requests itself: its answers can't be kept. */
  sendUnseen(): Promise<void>;
  /** The last call has cost this much. */
  count(usd: number | null): void;
  close(): void;
};

export type JournalOptions = {
  /** Called before a request is sent. Throws to stop the review. */
  readonly admit: (usd: number | null) => void;
  /** An answer was taken from the journal, for which the provider once took so long. */
  readonly onKept: (ms: number) => void;
  readonly now: () => number;
  /** The costs have changed. */
  readonly onChanged: () => void;
};

/** Requests of adapters that send them out of sight. */
const UNSEEN = "unseen";

/** Two requests of one review never share so much of a hash. */
const KEY_CHARS = 32;

export function openAnswerJournal(path: string, options: JournalOptions): AnswerJournal {
  const { file, lines } = openAppendFile(path);
  const attempts = readAttempts(lines);
  const unanswered = attempts.filter(isUnanswered).length;
  let expectedUsd: number | null = null;
  let last: Attempt | null = null;

  function begin(key: string): Attempt {
    options.admit(expectedUsd);
    append(file, { kind: "sent", key, usd: expectedUsd });
    const attempt = newAttempt(key, expectedUsd);
    attempts.push(attempt);
    last = attempt;
    options.onChanged();
    return attempt;
  }

  const exchange: Exchange = async ({ path: address, body }, send) => {
    const key = keyOf(address, body);
    const kept = attempts.find((each) => each.key === key && each.answer !== null && !each.isUsed);
    if (kept?.answer != null) {
      kept.isUsed = true;
      last = kept;
      options.onKept(kept.answer.ms);
      return responseOf(kept.answer);
    }
    const attempt = begin(key);
    attempt.isUsed = true;
    const startedAt = options.now();
    const refuse = (): void => {
      attempt.isRefused = true;
      append(file, { kind: "refused", key });
      options.onChanged();
    };
    const response = await send().catch((error: unknown) => {
      if (!isAbort(error)) refuse();
      throw error;
    });
    if (!response.ok) {
      refuse();
      return response;
    }
    const { bytes, isCut } = await readAll(response);
    const type = response.headers.get("content-type") ?? "application/json";
    const answer: Answered = {
      kind: "answered",
      key,
      type,
      body: bytes.toString("base64"),
      isCut,
      ms: Math.round(options.now() - startedAt),
    };
    append(file, answer);
    attempt.answer = answer;
    return responseOf(answer);
  };

  return {
    costs() {
      const paid = attempts.map(({ countedUsd, boundUsd, isRefused }) =>
        countedUsd === undefined ? (isRefused ? 0 : boundUsd) : countedUsd,
      );
      return {
        usd: paid.reduce<number>((sum, usd) => sum + (usd ?? 0), 0),
        isPriced: !paid.includes(null),
        unanswered,
      };
    },
    exchange,
    expect: (usd) => void (expectedUsd = usd),
    sendUnseen: async () => void begin(UNSEEN),
    count(usd) {
      if (last === null || last.countedUsd !== undefined) return;
      last.countedUsd = usd;
      append(file, { kind: "counted", key: last.key, usd });
      options.onChanged();
    },
    close: () => file.close(),
  };
}

/** OpenAI's cache key depends on the folder that Kodiai was started in, and changes no answer. */
function keyOf(address: string, body: string): string {
  return hashParts([address, body.replace(/"prompt_cache_key":"[^"]{0,100}",?/, "")], KEY_CHARS);
}

function isUnanswered({ key, answer, isRefused, countedUsd }: Attempt): boolean {
  return answer === null && !isRefused && (key !== UNSEEN || countedUsd === undefined);
}

function newAttempt(key: string, boundUsd: number | null): Attempt {
  return { key, boundUsd, answer: null, isRefused: false, countedUsd: undefined, isUsed: false };
}

/** Lines that can't be read were cut off by a crash: what they would have said hasn't been used. */
function readAttempts(lines: readonly string[]): Attempt[] {
  const attempts: Attempt[] = [];
  for (const line of lines) {
    const { data: record } = JournalRecord.safeParse(parseJson(line));
    if (record === undefined) continue;
    if (record.kind === "sent") {
      attempts.push(newAttempt(record.key, record.usd));
      continue;
    }
    const attempt = attempts.findLast(({ key }) => key === record.key);
    if (attempt === undefined) continue;
    if (record.kind === "answered") attempt.answer = record;
    if (record.kind === "refused") attempt.isRefused = true;
    if (record.kind === "counted") attempt.countedUsd = record.usd;
  }
  return attempts;
}

function append(file: AppendFile, record: JournalRecord): void {
  file.append(JSON.stringify(record));
}

/** An abort leaves open whether the request was paid. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
}

async function readAll({ body }: Response): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), isCut: false };
  } catch (error) {
    if (isAbort(error)) throw error;
    return { bytes: Buffer.concat(chunks), isCut: true };
  }
}

function responseOf({ type, body, isCut }: Answered): Response {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(body, "base64"));
      // As Node's fetch reports a connection that breaks.
      if (isCut) controller.error(new TypeError("terminated"));
      else controller.close();
    },
  });
  return new Response(stream, { status: 200, headers: { "content-type": type } });
}
