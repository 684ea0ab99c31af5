/**
 * The host that logs of jobs are downloaded from: not that of the API. An address of it is a credential for a minute, so it needs no other,
 * and one that gets a token reports it.
 */
import { createHmac } from "node:crypto";
import type { Exchange, ServerParts } from "./server-parts.ts";
import type { World } from "./world.ts";

// GitHub's limit.
const LIFETIME_MS = 60_000;

const PATH = /^\/log-storage\/(\d+)$/;

function sign(world: World, id: string, expiresAtMs: string): string {
  return createHmac("sha256", world.app.clientSecret).update(`${id} ${expiresAtMs}`).digest("hex");
}

/** On loopback, the other name is another origin. */
export function logAddress(world: World, id: number): string {
  const url = new URL(`/log-storage/${id}`, world.origin.replace("127.0.0.1", "localhost"));
  const expires = String(world.clock.now() + LIFETIME_MS);
  url.search = new URLSearchParams({ expires, signature: sign(world, String(id), expires) }).toString();
  return url.href;
}

/** Returns false if the request isn't for a log. */
export function serveLog(
  { world, violations }: ServerParts,
  { incoming, response }: Exchange,
  { pathname, searchParams }: URL,
): boolean {
  const [, id] = PATH.exec(pathname) ?? [];
  if (id === undefined) return false;
  const { authorization, host = "", range = "" } = incoming.headers;
  if (authorization !== undefined || !host.startsWith("localhost:"))
    violations.push("the storage of logs got a credential, or a request for the host of the API");
  const expires = searchParams.get("expires") ?? "";
  const isSigned = searchParams.get("signature") === sign(world, id, expires);
  const log = world.checkRuns.find((each) => each.id === Number(id))?.log ?? null;
  if (!isSigned || Number(expires) < world.clock.now() || log === null) {
    response.writeHead(403, { "content-type": "text/plain" }).end("The address is not valid.");
    return true;
  }
  const bytes = Buffer.from(log);
  const [, from] = /^bytes=(\d+)-$/.exec(range) ?? [];
  const sent = bytes.subarray(Number(from ?? 0));
  const type = { "content-type": "text/plain", "content-length": sent.length };
  response.writeHead(from === undefined ? 200 : 206, {
    ...type,
    ...(from !== undefined && { "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
  });
  response.end(sent);
  return true;
}
