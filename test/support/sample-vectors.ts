/** Vectors like those of models, and an exhaustive search to compare with. The same in every run. */
import type { Neighbour, NeighbourRequest, VectorSpace } from "../../src/store/vectors/vectors.ts";

export type SampleOptions = {
  readonly dimensions: number;
  readonly count: number;
  /**
   * `random`: all equally far from each other. `clustered`: like text embeddings, with a common direction, topics, and kinds within
   * topics. `sparse`: like hashed words, with few numbers and none of them negative.
   */
  readonly shape: "random" | "clustered" | "sparse";
  readonly seed: number;
};

export type SampleVectors = {
  readonly space: VectorSpace;
  /** The first has the id 1. */
  readonly vectors: readonly Float32Array[];
  /** Realistic queries: vectors similar to one of the stored ones. */
  queries(count: number): readonly Float32Array[];
};

const VECTORS_PER_TOPIC = 250;
const KINDS_PER_TOPIC = 12;
const WORDS_PER_TOPIC = 25;

export function createSampleVectors({ dimensions, count, shape, seed }: SampleOptions): SampleVectors {
  const random = createRandom(seed);
  const any = (): Float32Array => {
    const vector = new Float32Array(dimensions);
    for (let index = 0; index < dimensions; index++) vector[index] = bell(random) / Math.sqrt(dimensions);
    return vector;
  };
  const topics = Math.max(2, Math.round(count / VECTORS_PER_TOPIC));
  const make = { random: () => any, clustered, sparse }[shape](dimensions, topics, random, any);
  const vectors = Array.from({ length: count }, make);
  return {
    space: { name: `sample/${shape}`, dimensions },
    vectors,
    queries: (wanted) =>
      Array.from({ length: wanted }, () => {
        const like = vectors[Math.floor(random() * count)] ?? any();
        return mix([like, 1], [shape === "sparse" ? make() : any(), 0.5]);
      }),
  };
}

type Random = () => number;

type Maker = () => Float32Array;

function clustered(_dimensions: number, topics: number, random: Random, any: Maker): Maker {
  const common = any();
  const kinds = Array.from({ length: topics }, () => {
    const topic = mix([common, 1], [any(), 1]);
    return Array.from({ length: KINDS_PER_TOPIC }, () => mix([topic, 1], [any(), 0.7]));
  }).flat();
  // Some kinds are much more common than others.
  return () =>
    mix([kinds[Math.floor(random() ** 2 * kinds.length)] ?? common, 1], [any(), 0.2 + 0.8 * random()]);
}

function sparse(dimensions: number, topics: number, random: Random): Maker {
  const word = (): number => Math.floor(random() ** 2 * dimensions);
  const vocabularies = Array.from({ length: topics * KINDS_PER_TOPIC }, () =>
    Array.from({ length: WORDS_PER_TOPIC }, word),
  );
  return () => {
    const vector = new Float32Array(dimensions);
    const add = (index: number): void => void (vector[index] = (vector[index] ?? 0) + 1);
    for (const index of vocabularies[Math.floor(random() * vocabularies.length)] ?? [])
      if (random() < 0.7) add(index);
    for (let more = 0; more < 8; more++) add(word());
    return vector;
  };
}

/** Compares every vector, without any shortcut. */
export function reference(
  { vectors }: SampleVectors,
  { vector, limit, maxDistance = 2 }: NeighbourRequest,
): readonly Neighbour[] {
  return vectors
    .map((other, index) => ({
      id: index + 1,
      distance: 1 - dot(vector, other) / Math.sqrt(dot(vector, vector)) / Math.sqrt(dot(other, other)),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance || a.id - b.id)
    .slice(0, limit);
}

/** A sum of directions, each scaled by its weight. */
function mix(...parts: readonly (readonly [Float32Array, number])[]): Float32Array {
  const [first] = parts;
  const sum = new Float32Array(first?.[0].length ?? 0);
  for (const [vector, weight] of parts) {
    for (let index = 0; index < sum.length; index++)
      sum[index] = (sum[index] ?? 0) + weight * (vector[index] ?? 0);
  }
  const length = Math.sqrt(dot(sum, sum));
  return sum.map((value) => value / length);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

/** A normally distributed number (Box–Muller). */
function bell(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The mulberry32 generator by Tommy Ettinger. */
function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
