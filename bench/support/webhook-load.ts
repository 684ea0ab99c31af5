/**
 * Sends signed webhooks of about 20 KB, each for another pull request, from a separate process: as fast as they are answered, or at a
 * fixed rate. It lives as long as its bench, because a process that still compiles its own code measures itself.
 */
import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import examples from "@octokit/webhooks-examples/api.github.com/index.json" with { type: "json" };

export type Load = {
  readonly url: string;
  readonly secret: string;
  readonly seconds: number;
  /** Requests per second; 0 means as many as 32 connections allow. */
  readonly rate: number;
};

export type LoadResult = {
  readonly answered: number;
  readonly failed: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

type Sending = Pick<Load, "url" | "secret"> & {
  readonly agent: Agent;
  readonly latencies: number[];
  failed: number;
};

const BODY_BYTES = 20_480;
const FIRST_NUMBER = 1_000_000;
const MARK = "0123456789abcdef0123456789abcdef01234567";

/** At a fixed rate, requests of the first moments aren't timed: they open the connections. */
const WARM_UP_MS = 500;

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
/** Never starts again: a server knows the jobs of earlier pull requests. */
let sent = 0;

function nextBody(): Buffer {
  const next = Buffer.from(body);
  next.write((++sent).toString(16).padStart(MARK.length, "0"), shaAt, "latin1");
  next.write(String(FIRST_NUMBER + sent), numberAt, "latin1");
  return next;
}

function post(startedAt: number, sending: Sending): Promise<void> {
  const bytes = nextBody();
  const signature = createHmac("sha256", sending.secret).update(bytes).digest("hex");
  return new Promise((resolve) => {
    const posted = request(
      sending.url,
      {
        method: "POST",
        agent: sending.agent,
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
            sending.latencies.push(performance.now() - startedAt);
          else sending.failed++;
          resolve();
        });
      },
    );
    posted.on("error", () => {
      sending.failed++;
      resolve();
    });
    posted.end(bytes);
  });
}

async function asFastAsAnswered(endsAt: number, sending: Sending): Promise<void> {
  const connection = async (): Promise<void> => {
    while (performance.now() < endsAt) await post(performance.now(), sending);
  };
  await Promise.all(Array.from({ length: sending.agent.maxSockets }, connection));
}

/** Latency counts from when a request was due, so that a stalled server doesn't get fewer requests. */
async function atRate(rate: number, endsAt: number, sending: Sending): Promise<void> {
  const startedAt = performance.now();
  const posts: Promise<void>[] = [];
  for (let index = 0; ; index++) {
    const dueAt = startedAt + (index * 1_000) / rate;
    if (dueAt > endsAt) break;
    const waitMs = dueAt - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    posts.push(post(dueAt, sending));
  }
  await Promise.all(posts);
}

async function send({ url, secret, seconds, rate }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: rate === 0 ? 32 : 256 });
  const sending: Sending = { url, secret, agent, latencies: [], failed: 0 };
  if (rate !== 0) {
    await atRate(rate, performance.now() + WARM_UP_MS, sending);
    sending.latencies.length = 0;
  }
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  await (rate === 0 ? asFastAsAnswered(endsAt, sending) : atRate(rate, endsAt, sending));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  const sorted = sending.latencies.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    answered: sorted.length,
    failed: sending.failed,
    perSecond: sorted.length / elapsedSeconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
}

process.on("message", (load: Load) => {
  void send(load).then((result) => process.send?.(result));
});
