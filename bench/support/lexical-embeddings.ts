/**
 * Lexical embeddings, to compare with: features of a text, hashed to dimensions. They need neither key nor network. They compare words, parts of words and the
 * kinds of defects that words are typical of, so two wordings without any of these in common are far apart.
 */
import { defectWords, kindsIn, wordsIn } from "../../src/review/findings/defect-words.ts";
import type { Embeddings } from "../../src/embeddings/embeddings.ts";

const DIMENSIONS = 1024;

/** Changes with the features: vectors of different versions can't be compared. */
const SPACE_NAME = "local/hashed-1";

/** Longer texts are cut. */
const MAX_CHARS = 4_000;

/** Weights of features. A word that many findings have tells less than a name. */
const OF_NAME_WORD = 1;
const OF_COMMON_WORD = 0.7;
const OF_IDENTIFIER = 1;
const OF_PAIR = 0.15;
const OF_KIND = 0.7;
const OF_GRAMS = 0.5;

const GRAM_CHARS = 4;
const MIN_KIND_STRENGTH = 0.5;
const MAX_KIND_STRENGTH = 2;

export function createLexicalEmbeddings(): Embeddings {
  return {
    id: "local",
    spaceName: SPACE_NAME,
    async embed(texts, _purpose, signal) {
      signal.throwIfAborted();
      return { space: { name: SPACE_NAME, dimensions: DIMENSIONS }, vectors: texts.map(embedText) };
    },
  };
}

function embedText(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const [feature, weight] of featuresOf(text.slice(0, MAX_CHARS))) {
    const hash = hashOf(feature);
    // Features that share a dimension cancel out as often as they add up. A square root is the same on every machine; other powers aren't.
    const sign = hash >= 2 ** 31 ? 1 : -1;
    vector[hash % DIMENSIONS] = (vector[hash % DIMENSIONS] ?? 0) + sign * Math.sqrt(weight);
  }
  // A text without features has a direction too.
  if (vector.every((each) => each === 0)) vector[0] = 1;
  return vector;
}

function featuresOf(text: string): ReadonlyMap<string, number> {
  const { fillers, typical, possible } = defectWords();
  const features = new Map<string, number>();
  const add = (feature: string, weight: number): void => {
    features.set(feature, (features.get(feature) ?? 0) + weight);
  };
  const words = wordsIn(text);
  let previous = "";
  for (const word of words) {
    if (word.length < 2 || fillers.has(word)) continue;
    add(`w${word}`, typical.has(word) || possible.has(word) ? OF_COMMON_WORD : OF_NAME_WORD);
    if (previous !== "" && previous !== word)
      add(previous < word ? `p${previous}+${word}` : `p${word}+${previous}`, OF_PAIR);
    previous = word;
  }
  for (const [name] of text.matchAll(/[\p{L}\p{N}_]+/gu)) {
    const lower = name.toLowerCase();
    if (lower.length < 3 || fillers.has(lower)) continue;
    if (/_|\p{Ll}\p{Lu}/u.test(name)) add(`i${lower}`, OF_IDENTIFIER);
    addGrams(lower, add);
  }
  for (const [kind, strength] of kindsIn(words))
    if (strength >= MIN_KIND_STRENGTH) add(`k${kind}`, OF_KIND * Math.min(MAX_KIND_STRENGTH, strength));
  return features;
}

/** Parts of words, so that forms of a word that have different stems are still close. */
function addGrams(word: string, add: (feature: string, weight: number) => void): void {
  const marked = `<${word}>`;
  const count = marked.length - GRAM_CHARS + 1;
  for (let at = 0; at < count; at++)
    add(`g${marked.slice(at, at + GRAM_CHARS)}`, OF_GRAMS / Math.sqrt(count));
}

/** FNV-1a, then mixed so that the lowest and the highest bits depend on the whole text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
