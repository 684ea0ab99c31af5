import assert from "node:assert/strict";
import { test } from "node:test";
import { backticksAround, createFenceReader, withoutHtmlComments } from "./markdown.ts";

/** t: text, o: opening, c: code, e: the end of a block. */
const LETTERS = { text: "t", opening: "o", code: "c", closing: "e" };

const BLOCKS: readonly (readonly [text: string, lines: string, maxIndent?: number])[] = [
  ["a\n```\nb\n```\nc", "tocet"],
  ["~~~ js\n```\n~~~", "oce"],
  ["````\n```\n`````\nb", "ocet"],
  ["```\nunclosed\n~~~", "occ"],
  ["```\n``` js\n```", "oce"],
  ["```\n``` \t\na", "oet"],
  ["```code``` in a line\na", "tt"],
  ["~~~ `a` ~~~\nb\n~~~", "oce"],
  ["``\n~~", "tt"],
  ["   ```\n    ```\n  ```", "oce"],
  ["    ```\na", "tt"],
  ["\t```\na", "tt"],
  ["\t```\na\n  ```", "oce", 12],
  ["- ```\na", "tt"],
  ["", "t"],
];

test("markdown: each line is text, code or a fence", () => {
  for (const [text, lines, maxIndent] of BLOCKS) {
    const partOf = createFenceReader(maxIndent);
    const read = text.split("\n").map((line) => LETTERS[partOf(line)]);
    assert.equal(read.join(""), lines, JSON.stringify(text));
  }
});

test("markdown: a text between the backticks for it is one block", () => {
  for (const text of ["", "a", "```", "``````\n```", "`` a ````"]) {
    const marks = backticksAround(text, 3);
    const partOf = createFenceReader();
    const parts = `${marks}\n${text}\n${marks}`.split("\n").map((line) => partOf(line));
    assert.deepEqual(new Set(parts.slice(1, -1)), new Set(["code"]), text);
    assert.deepEqual([parts[0], parts.at(-1)], ["opening", "closing"], text);
  }
  assert.equal(backticksAround("a `b` c", 1), "``");
});

test("markdown: comments are removed, and an unclosed one hides the rest", () => {
  assert.equal(withoutHtmlComments("a<!-- b -->c<!-- <!-- -->d --> e"), "acd --> e");
  assert.equal(withoutHtmlComments("a<!-- b\nc"), "a");
});
