/** Counts the words of a text: identifiers of at least three characters, in code, comments and strings. */
import type { WordCounts } from "../file-facts.ts";

const MIN_WORD_CHARS = 3;

/** A longer run of letters is data, such as base64. */
const MAX_WORD_CHARS = 100;

const MAX_COUNT = 0xffff;

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/** 1 for letters and underscores, 2 for digits. `$` isn't part of a word, so that `$cart` and `cart` are the same in PHP and shells. */
const CLASSES = new Uint8Array(128);
for (let code = 65; code < 91; code++) CLASSES[code] = CLASSES[code + 32] = 1;
CLASSES[95] = 1;
for (let code = 48; code < 58; code++) CLASSES[code] = 2;

/** Hashes are those of `hashWord`. */
export function countWords(text: string): WordCounts {
  const table = createTable();
  const { length } = text;
  let total = 0;
  for (let at = 0; at < length; at++) {
    let code = text.charCodeAt(at);
    const first = code < 128 ? CLASSES[code] : 1;
    if (first === 0) continue;
    const start = at;
    let hash = OFFSET;
    do {
      hash = Math.imul(hash ^ code, PRIME);
      code = ++at < length ? text.charCodeAt(at) : 0;
    } while (code > 127 || CLASSES[code] !== 0);
    const chars = at - start;
    if (first !== 1 || chars < MIN_WORD_CHARS || chars > MAX_WORD_CHARS) continue;
    total++;
    table.add(hash);
  }
  return { ...table.sorted(), total };
}

/** A hash table with open addressing, at most half full. */
function createTable() {
  let size = 1024;
  let keys = new Int32Array(size);
  let counts = new Uint32Array(size);
  let used = 0;

  function put(hash: number, count: number): void {
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    for (let found = counts[slot]; found !== 0; found = counts[slot]) {
      if (keys[slot] === hash) {
        counts[slot] = (found ?? 0) + count;
        return;
      }
      slot = (slot + 1) & (size - 1);
    }
    keys[slot] = hash;
    counts[slot] = count;
    used++;
  }

  function grow(): void {
    const [oldKeys, oldCounts] = [keys, counts];
    size *= 4;
    keys = new Int32Array(size);
    counts = new Uint32Array(size);
    used = 0;
    for (const [slot, count] of oldCounts.entries()) if (count > 0) put(oldKeys[slot] ?? 0, count);
  }

  return {
    add(hash: number): void {
      put(hash, 1);
      if (used * 2 > size) grow();
    },
    sorted(): Pick<WordCounts, "hashes" | "counts"> {
      const hashes = new Uint32Array(used);
      let length = 0;
      for (let slot = 0; slot < size; slot++) if (counts[slot] !== 0) hashes[length++] = keys[slot] ?? 0;
      hashes.sort();
      const sortedCounts = new Uint16Array(used);
      for (let index = 0; index < used; index++) sortedCounts[index] = countOf((hashes[index] ?? 0) | 0);
      return { hashes, counts: sortedCounts };
    },
  };

  function countOf(hash: number): number {
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    while (keys[slot] !== hash || counts[slot] === 0) slot = (slot + 1) & (size - 1);
    return Math.min(counts[slot] ?? 0, MAX_COUNT);
  }
}
