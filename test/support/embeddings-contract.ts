/** The contract that every implementation of the Embeddings port must fulfill. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type Embeddings, MAX_TEXTS } from "../../src/embeddings/embeddings.ts";
import { assertFits, cosineDistance } from "../../src/store/vectors/space.ts";

const HOSTILE_TEXTS: readonly (readonly [what: string, text: string])[] = [
  ["an empty text", ""],
  ["only spaces", " \n\t "],
  ["half of a character", "a \ud83d b"],
  ["U+0000", "a\0b"],
  ["a long text", "word ".repeat(50_000)],
  ["a long line without words", "-".repeat(100_000)],
  ["another script", "変数が未初期化です"],
];

export function testEmbeddings(what: string, create: (t: TestContext) => Promise<Embeddings>): void {
  const { signal } = new AbortController();
  /** One vector per text, each of which the store would accept. */
  async function embed(embeddings: Embeddings, texts: readonly string[]) {
    const { space, vectors } = await embeddings.embed(texts, "document", signal);
    assert.equal(vectors.length, texts.length);
    assert.equal(space.name, embeddings.spaceName);
    for (const vector of vectors) assertFits(vector, space);
    return { space, vectors };
  }

  test(`${what}: one vector per text, in order, the same each time`, async (t) => {
    const embeddings = await create(t);
    const texts = ["null dereference in parser", "unused import", "race between two writers"];
    const together = await embed(embeddings, texts);
    for (const [index, text] of texts.entries()) {
      const alone = await embed(embeddings, [text]);
      assert.deepEqual(alone.space, together.space);
      assert.deepEqual(alone.vectors[0], together.vectors[index]);
    }
  });

  test(`${what}: a similar text is closer than another one`, async (t) => {
    const embeddings = await create(t);
    const texts = [
      "the pointer may be null here",
      "this pointer may be null",
      "typo in documentation heading",
    ];
    const [near, same, far] = (await embed(embeddings, texts)).vectors;
    assert.ok(near !== undefined && same !== undefined && far !== undefined);
    assert.ok(cosineDistance(near, same) < cosineDistance(near, far));
  });

  test(`${what}: a query is in the space of the documents`, async (t) => {
    const embeddings = await create(t);
    const { space } = await embeddings.embed(["a question"], "query", signal);
    assert.deepEqual(space, (await embed(embeddings, ["an answer"])).space);
  });

  test(`${what}: as many texts as a request may have`, async (t) => {
    await embed(
      await create(t),
      Array.from({ length: MAX_TEXTS }, (_, index) => `finding ${index}`),
    );
  });

  for (const [name, text] of HOSTILE_TEXTS)
    test(`${what}: ${name} has a vector`, async (t) => {
      await embed(await create(t), [text, "another"]);
    });

  test(`${what}: stops when the caller does`, async (t) => {
    const embeddings = await create(t);
    await assert.rejects(embeddings.embed(["a"], "query", AbortSignal.abort()));
  });
}
