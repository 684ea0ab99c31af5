/**
 * Searches vectors in a process of its own that has loaded what the App loads, because how often its garbage is collected, and how long
 * that takes, depends on all that it holds: a bench also holds every vector for its comparisons.
 */
import { once } from "node:events";
import "../../src/compose/app.ts";
import { openStore } from "../../src/store/store.ts";
import { openVectors } from "../../src/store/vectors/open-vectors.ts";
import type { Neighbour, NeighbourRequest, Vectors } from "../../src/store/vectors/vectors.ts";

export type Searches = { readonly url: string; readonly requests: readonly NeighbourRequest[] };

export type TimedSearch = { readonly ms: number; readonly neighbours: readonly Neighbour[] };

const opened = new Map<string, Promise<Vectors>>();

async function open(url: string): Promise<Vectors> {
  const { database } = await openStore(url);
  return openVectors(database);
}

async function search({ url, requests }: Searches): Promise<readonly TimedSearch[]> {
  const opening = opened.get(url) ?? open(url);
  opened.set(url, opening);
  const vectors = await opening;
  const found: TimedSearch[] = [];
  for (const request of requests) {
    const startedAt = performance.now();
    const neighbours = await vectors.nearest(request);
    found.push({ ms: performance.now() - startedAt, neighbours });
  }
  return found;
}

for (;;) {
  const [searches] = await once(process, "message");
  // Only child.ts sends messages.
  process.send?.(await search(searches as Searches));
}
