/** Reads the vectors in an answer of an embedding API. Everything that isn't exactly one usable vector per text is refused. */
import { parseJson } from "../base/parse-json.ts";

/** The largest that the store accepts. */
export const MAX_VECTOR_DIMENSIONS = 4_096;

export type ExpectedVectors = {
  readonly count: number;
  /** Null: any, but all the same. */
  readonly dimensions: number | null;
};

/** The vectors in the order of the texts, or why the answer is unusable. */
export function readVectors(text: string, expected: ExpectedVectors): readonly Float32Array[] | string {
  const answer = parseJson(text);
  if (answer === undefined) return "it isn't JSON";
  const data = fieldsOf(answer)["data"];
  if (!Array.isArray(data)) return "it has no list of vectors";
  if (data.length !== expected.count) return `it has ${data.length} vectors for ${expected.count} texts`;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: expected.count });
  for (const entry of data) {
    const { index, embedding } = fieldsOf(entry);
    if (!isIndexWithin(index, expected.count)) return "a vector doesn't say which text it belongs to";
    if (vectors[index] !== undefined) return "it has two vectors for one text";
    const vector = readVector(embedding);
    if (typeof vector === "string") return vector;
    vectors[index] = vector;
  }
  const read = vectors.filter((vector) => vector !== undefined);
  const dimensions = expected.dimensions ?? read[0]?.length;
  return read.every(({ length }) => length === dimensions)
    ? read
    : expected.dimensions === null
      ? "its vectors have different dimensions"
      : `its vectors don't have ${expected.dimensions} dimensions`;
}

function readVector(value: unknown): Float32Array | string {
  if (!Array.isArray(value) || !value.every((each) => typeof each === "number"))
    return "a vector isn't a list of numbers";
  if (value.length < 1 || value.length > MAX_VECTOR_DIMENSIONS)
    return `a vector has ${value.length} dimensions`;
  // Checked with the precision in which they are stored: large numbers become infinite, small ones zero.
  const vector = Float32Array.from(value);
  if (!vector.every((each) => Number.isFinite(each))) return "a vector has a number that isn't finite";
  return vector.some((each) => each !== 0) ? vector : "a vector has only zeros";
}

function isIndexWithin(value: unknown, count: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < count;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
