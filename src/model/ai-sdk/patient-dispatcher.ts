/**
 * Connections that may be silent for as long as a run allows. Node's fetch gives up after five minutes without a byte, and a model that
 * thinks for long may send nothing for longer.
 */

/** After this silence, Node's fetch fails. */
const MAX_FETCH_SILENCE_MS = 300_000;

/** Under this name, Node's fetch keeps the object that opens its connections. There is no other way to it without a package. */
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

type FetchDispatcher = NonNullable<RequestInit["dispatcher"]>;
type DispatcherClass = new (limits: {
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}) => FetchDispatcher;

let patient: FetchDispatcher | null = null;

/** Options for a fetch with this limit of silence; none where the usual ones are enough. */
export async function patienceFor(stallMs: number): Promise<Pick<RequestInit, "dispatcher">> {
  if (stallMs < MAX_FETCH_SILENCE_MS) return {};
  // The first fetch creates the object.
  if (patient === null) await fetch("data:,");
  const usual: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  if (typeof usual !== "object" || usual === null) return {};
  // Its class has been the same since Node 18: an agent, or one for a proxy, with these two limits. 0 is none.
  const Dispatcher = usual.constructor as DispatcherClass;
  patient ??= new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  return { dispatcher: patient };
}
