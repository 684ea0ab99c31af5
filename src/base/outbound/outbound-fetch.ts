/**
 * The only place that calls Node's fetch. Requests go through the operator's proxy, if there is one for their host. They may be silent for
 * as long as their caller allows: Node's fetch gives up after five minutes without a byte, and a model that thinks for long may send
 * nothing for longer.
 */
import { KodiaiError } from "../errors.ts";
import { openTunnel, portOf } from "./open-tunnel.ts";
import { proxyFor } from "./proxy.ts";

/** After this silence, Node's fetch fails. */
const MAX_FETCH_SILENCE_MS = 300_000;

/** The longest chain of causes that is read; real chains have three or four. */
const MAX_CAUSES = 10;

/** Under this name, Node's fetch keeps the object that opens its connections. There is no other way to it without a package. */
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

type FetchDispatcher = NonNullable<RequestInit["dispatcher"]>;

type Connect = (
  target: { readonly hostname: string; readonly port: string; readonly protocol: string },
  settle: (error: Error | null, socket: unknown) => void,
) => void;

type DispatcherOptions = {
  readonly headersTimeout?: number;
  readonly bodyTimeout?: number;
  readonly connect?: Connect;
};

type DispatcherClass = new (options: DispatcherOptions) => FetchDispatcher;

const dispatchers = new Map<string, FetchDispatcher>();

/** `maxSilenceMs`: how long the other side may send nothing, if the caller limits that itself. */
export async function outboundFetch(
  address: string | URL,
  init: RequestInit,
  maxSilenceMs = 0,
): Promise<Response> {
  const isProxied = proxyFor(new URL(address)) !== null;
  const isPatient = maxSilenceMs >= MAX_FETCH_SILENCE_MS;
  const dispatcher = await dispatcherFor(isProxied, isPatient);
  return fetch(address, dispatcher === null ? init : { ...init, dispatcher });
}

/** Null for Node's own. */
export async function dispatcherFor(isProxied: boolean, isPatient: boolean): Promise<FetchDispatcher | null> {
  if (!isProxied && !isPatient) return null;
  const key = `${isProxied}-${isPatient}`;
  const known = dispatchers.get(key);
  if (known !== undefined) return known;
  // The first fetch creates the object.
  await fetch("data:,");
  const usual: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  if (typeof usual !== "object" || usual === null)
    throw new TypeError("this version of Node has no dispatcher for fetch");
  // Its class has been the same since Node 18: an agent with these options. A limit of 0 is none. With NODE_USE_ENV_PROXY it's another
  // one, which finds the proxy itself.
  const Dispatcher = usual.constructor as DispatcherClass;
  const isAgent = Dispatcher.name === "Agent";
  const created = new Dispatcher({
    ...(isPatient ? { headersTimeout: 0, bodyTimeout: 0 } : {}),
    ...(isProxied && isAgent ? { connect: connectByProxy } : {}),
  });
  dispatchers.set(key, created);
  return created;
}

const connectByProxy: Connect = ({ hostname, port, protocol }, settle) => {
  const url = new URL(`${protocol}//${hostname}${port === "" ? "" : `:${port}`}`);
  const proxy = proxyFor(url);
  if (proxy === null) throw new TypeError("only requests that have a proxy use this connector");
  openTunnel(proxy, { hostname, port: portOf(url), isTls: protocol === "https:" }).then(
    (socket) => settle(null, socket),
    (error: Error) => settle(error, null),
  );
};

/** The error of a proxy that a failed request has as a cause; null if the proxy isn't the reason. */
export function proxyFailureOf(error: unknown): KodiaiError | null {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if (at instanceof KodiaiError) return at;
    at = at.cause;
  }
  return null;
}
