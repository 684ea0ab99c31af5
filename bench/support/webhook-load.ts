/**
 * Sends signed webhooks of about 20 KB, each for another pull request, from a separate process: as fast as they are answered, or at a
 * fixed rate. Prints the results as JSON.
 */
import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };

export type LoadResult = {
  readonly answered: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

const [url = "", secret = "", secondsText = "5", rateText = "0", runText = "0"] = process.argv.slice(2);
const seconds = Number(secondsText);
/** Each run on one server needs another number. Otherwise it would request the jobs of an earlier run again. */
const run = Number(runText);
/** Requests per second; 0 means as many as 32 connections allow. */
const rate = Number(rateText);
const CONNECTIONS = rate === 0 ? 32 : 256;

const BODY_BYTES = 20_480;
const FIRST_NUMBER = 1_000_000;
// No server answers as many in one run.
const NUMBERS_PER_RUN = 100_000;
const MARK = "0123456789abcdef0123456789abcdef01234567";

/** A real payload with positions for the commit and the number, which make each webhook different. */
function template(): Buffer {
  const example = examples
    .find(({ name }) => name === "pull_request")
    ?.examples.find((each) => "action" in each && each.action === "opened");
  if (example === undefined || !("pull_request" in example)) throw new Error("there is no such example");
  const payload = structuredClone(example);
  payload.pull_request.head.sha = MARK;
  payload.pull_request.number = FIRST_NUMBER;
  const text = JSON.stringify({ ...payload, installation: { id: 1, node_id: "x" } });
  return Buffer.from(
    text.replace(/}$/, `,"padding":"${"x".repeat(Math.max(0, BODY_BYTES - text.length))}"}`),
  );
}

const body = template();
const shaAt = body.indexOf(MARK);
const numberAt = body.indexOf(`"number":${FIRST_NUMBER}`) + '"number":'.length;
let sent = run * NUMBERS_PER_RUN;

function nextBody(): Buffer {
  const next = Buffer.from(body);
  next.write((++sent).toString(16).padStart(MARK.length, "0"), shaAt, "latin1");
  next.write(String(FIRST_NUMBER + sent), numberAt, "latin1");
  return next;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let latencies: number[] = [];
let failed = 0;

/** At a fixed rate, requests of the first seconds aren't timed: this process compiles its own code then, for every server alike. */
const WARM_UP_SECONDS = 2;

function post(startedAt: number): Promise<void> {
  const bytes = nextBody();
  const signature = createHmac("sha256", secret).update(bytes).digest("hex");
  return new Promise((resolve) => {
    const sending = request(
      url,
      {
        method: "POST",
        agent,
        headers: {
          "content-type": "application/json",
          "content-length": bytes.length,
          "x-github-event": "pull_request",
          "x-github-delivery": randomUUID(),
          "x-hub-signature-256": `sha256=${signature}`,
        },
      },
      (response) => {
        response.resume().on("end", () => {
          if (response.statusCode === 202 || response.statusCode === 200)
            latencies.push(performance.now() - startedAt);
          else failed++;
          resolve();
        });
      },
    );
    sending.on("error", () => {
      failed++;
      resolve();
    });
    sending.end(bytes);
  });
}

async function asFastAsAnswered(endsAt: number): Promise<void> {
  const connection = async (): Promise<void> => {
    while (performance.now() < endsAt) await post(performance.now());
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
}

/** Latency counts from when a request was due, so that a stalled server doesn't get fewer requests. */
async function atRate(startedAt: number, endsAt: number): Promise<void> {
  const posts: Promise<void>[] = [];
  for (let index = 0; ; index++) {
    const dueAt = startedAt + (index * 1_000) / rate;
    if (dueAt > endsAt) break;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    posts.push(post(dueAt));
  }
  await Promise.all(posts);
}

if (rate !== 0) {
  const from = performance.now();
  await atRate(from, from + WARM_UP_SECONDS * 1_000);
  latencies = [];
}
const startedAt = performance.now();
const endsAt = startedAt + seconds * 1_000;
await (rate === 0 ? asFastAsAnswered(endsAt) : atRate(startedAt, endsAt));
const elapsedSeconds = (performance.now() - startedAt) / 1_000;
const sorted = latencies.toSorted((a, b) => a - b);
const at = (share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const result: LoadResult = {
  answered: sorted.length,
  failed,
  perSecond: sorted.length / elapsedSeconds,
  p50Ms: at(0.5),
  p99Ms: at(0.99),
  maxMs: sorted.at(-1) ?? 0,
};
console.log(JSON.stringify(result));
process.exit();
