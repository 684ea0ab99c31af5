/**
 * The ends of the logs of GitHub Actions' jobs. GitHub answers with the address of a file on another host. That address is a credential for
 * a minute: nothing logs it, it gets no token, and it may lead nowhere else. A log that can't be read is a value, never an error.
 */
import { stripVTControlCharacters } from "node:util";
import { KodiaiError, messageOf } from "../../base/errors.ts";
import { limitedChunks, TooLargeError } from "../../base/limited-chunks.ts";
import type { Log } from "../../base/log.ts";
import { outboundFetch } from "../../base/outbound/outbound-fetch.ts";
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { CheckLog, LogProblem } from "../../review/context/check-report.ts";
import { isEncryptedLike } from "./clone-url.ts";
import { fetchLocation, type GithubClient } from "./github-client.ts";
import type { RepositoryName } from "./session-tokens.ts";

export type JobLogsDeps = {
  readonly client: GithubClient;
  readonly name: () => Promise<RepositoryName>;
  readonly apiUrl: string;
  readonly log: Log;
};

/** Most logs are smaller. Of a larger one, only the end is requested. */
const MAX_LOG_BYTES = 4_000_000;

/** Room for the steps that clean up after the one that failed. */
const TAIL_BYTES = 96_000;

/** A private key that begins before the tail isn't recognized in it. The largest has fewer characters. */
const MARGIN_CHARS = 8_000;

/** Enough for the message of the error and its stack. */
const MAX_LOG_CHARS = 3_000;

/** A person waits for the answer. */
const DOWNLOAD_TIMEOUT_MS = 15_000;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z ?/gm;

/** GitHub writes it before the last line of a step that failed. Later steps clean up. */
const ERROR_MARK = "##[error]";

/** Reads each log once. Without the permission, it asks only for the first. */
export function createJobLogs(deps: JobLogsDeps): (jobId: number) => Promise<CheckLog> {
  const known = new Map<number, CheckLog>();
  let isForbidden = false;
  return async (jobId) => {
    if (isForbidden) return { problem: "no-permission" };
    const log = known.get(jobId) ?? (await readJobLog(jobId, deps));
    known.set(jobId, log);
    isForbidden = "problem" in log && log.problem === "no-permission";
    return log;
  };
}

async function readJobLog(jobId: number, deps: JobLogsDeps): Promise<CheckLog> {
  try {
    return { end: endOf(await download(await locate(jobId, deps))) };
  } catch (error) {
    const problem = problemOf(error);
    deps.log.warn("the log of a failed check couldn't be read", { problem, reason: messageOf(error) });
    return { problem };
  }
}

function problemOf(error: unknown): LogProblem {
  if (error instanceof TooLargeError) return "too-large";
  if (!(error instanceof KodiaiError)) return "failed";
  if (error.code === "forbidden") return "no-permission";
  return error.code === "not-found" ? "gone" : "failed";
}

async function locate(jobId: number, { client, name, apiUrl }: JobLogsDeps): Promise<URL> {
  const { headers } = await client.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", {
    ...(await name()),
    job_id: jobId,
    request: { fetch: fetchLocation },
  });
  const location = URL.parse(headers.location ?? "");
  if (location === null) throw new Error("GitHub returned no address of the log");
  if (!isEncryptedLike(apiUrl, location)) throw new Error("the address of the log doesn't use https");
  return location;
}

type Tail = { readonly bytes: Buffer; readonly isCut: boolean };

async function download(address: URL): Promise<Tail> {
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS);
  const whole = await open(address, {}, signal);
  const size = Number(whole.headers.get("content-length"));
  if (size <= MAX_LOG_BYTES) return readTail(whole);
  await whole.body?.cancel();
  const { bytes } = await readTail(await open(address, { range: `bytes=${size - TAIL_BYTES}-` }, signal));
  return { bytes, isCut: true };
}

async function open(
  address: URL,
  range: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> {
  const headers = { ...range, "accept-encoding": "identity" };
  const response = await outboundFetch(address, { headers, redirect: "error", signal });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new Error(`the host of the log answered ${response.status}`);
}

async function readTail({ body }: Response): Promise<Tail> {
  let bytes = Buffer.alloc(0);
  let isCut = false;
  if (body === null) return { bytes, isCut };
  for await (const chunk of limitedChunks(body, MAX_LOG_BYTES)) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length <= TAIL_BYTES) continue;
    bytes = bytes.subarray(-TAIL_BYTES);
    isCut = true;
  }
  return { bytes, isCut };
}

/** Masked before it is cut, because a part of a secret isn't recognized. */
function endOf({ bytes, isCut }: Tail): string {
  const plain = stripVTControlCharacters(bytes.toString("utf8").replace(/^\ufeff/, ""));
  const masked = maskCredentials(plain.replaceAll(/\r\n?/g, "\n").replaceAll(TIME, ""));
  const lines = masked
    .slice(isCut ? MARGIN_CHARS : 0)
    .trimEnd()
    .split("\n");
  const failedAt = lines.findLastIndex((line) => line.startsWith(ERROR_MARK));
  const text = lines.slice(0, failedAt === -1 ? lines.length : failedAt + 1).join("\n");
  if (text.length <= MAX_LOG_CHARS) return text.toWellFormed();
  const end = text.slice(-MAX_LOG_CHARS);
  // From the start of a line, unless one line is longer than all that is shown.
  return end.slice(end.indexOf("\n") + 1).toWellFormed();
}
