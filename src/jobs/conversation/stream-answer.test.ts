import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createAnswerStream } from "./stream-answer.ts";

const TEXT =
  'One "quoted" \\ line.\n\nTwo: `a`.\n\n```ts\nconst b = 1;\n\nconst c = 2;\n```\n\n- three\n- vier 🐇\u2028';

/** The parts that are shown when the JSON of a call arrives in these pieces. */
function streamed(pieces: readonly string[], clean = (text: string): string => text) {
  const shown: string[] = [];
  const stream = createAnswerStream({ tool: "give_answer", clean, show: (part) => shown.push(part) });
  const take = (delta: string, isFirst: boolean) => stream.take({ tool: "give_answer", delta, isFirst });
  take("", true);
  for (const piece of pieces) take(piece, false);
  return { shown, stream, take };
}

test("whole blocks are shown as they arrive, and the rest at the end", () => {
  const json = JSON.stringify({ text: TEXT });
  const { shown, stream } = streamed(Array.from({ length: json.length }, (_, at) => json.charAt(at)));
  assert.deepEqual(shown, [
    'One "quoted" \\ line.\n\n',
    "Two: `a`.\n\n",
    "```ts\nconst b = 1;\n\nconst c = 2;\n```\n",
  ]);
  stream.finish(TEXT);
  assert.equal(shown.join(""), TEXT);
});

test("however the call is cut into pieces, the parts are the answer", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(200)), (more, cuts) => {
      const text = `${TEXT}${more}`.trim().toWellFormed();
      const json = JSON.stringify({ text });
      const pieces = [0, ...cuts.toSorted((a, b) => a - b), json.length];
      const { shown, stream } = streamed(pieces.slice(1).map((end, index) => json.slice(pieces[index], end)));
      stream.finish(text);
      assert.equal(shown.join(""), text);
    }),
  );
});

test("an answer that breaks off is shown as far as it came", () => {
  const { shown, stream } = streamed(['{"text": "First.\\n', "\\nSecond, and th\\u00"]);
  stream.breakOff();
  assert.deepEqual(shown, ["First.\n\n", "Second, and th"]);
  const none = streamed([""]);
  none.stream.breakOff();
  assert.deepEqual(none.shown, []);
});

test("a block is cleaned as a whole, and an answer that begins again is shown again", () => {
  const clean = (text: string): string => text.replace("secret", "[masked]");
  const { shown, stream, take } = streamed(['{"text":"The sec', "ret.\\n\\nMore"], clean);
  assert.deepEqual(shown, ["The [masked].\n\n"]);
  take("", true);
  take(JSON.stringify({ text: "Another answer.\n\nEnd." }), false);
  stream.finish("Another answer.\n\nEnd.");
  assert.deepEqual(shown.slice(1), ["Another answer.\n\n", "\n\n---\n\n", "Another answer.\n\nEnd."]);
});

test("calls of other tools and texts without a tool aren't taken for parts", () => {
  const shown: string[] = [];
  const stream = createAnswerStream({ tool: "give_answer", clean: String, show: (part) => shown.push(part) });
  stream.take({ tool: "read_file", delta: '{"text":"a\\n\\nb"}', isFirst: true });
  assert.deepEqual(shown, []);
  stream.finish("Its last words.");
  assert.deepEqual(shown, ["Its last words."]);
});
