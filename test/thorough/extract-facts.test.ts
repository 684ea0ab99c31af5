/** Extracting facts from hostile text takes linear time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuMs } from "../support/cpu-ms.ts";
import { extractFacts } from "../../src/languages/extract/extract-facts.ts";

const REPEATED = [
  ..."({[<}])>\"'`/\\#$%@!?=:;,.a1 \n\t\0\u{e9}".split(""),
  ...'import |from |class |def |use |mod |fn |const {a,|export {|require(|/[|}=require("|`${|/*|<<A |<<<A\n|$"{|r#"'.split(
    "|",
  ),
  ..."struct |typedef |namespace |using |template <|#define |#include <|include |{a::|async |export default |%w(|<script>".split(
    "|",
  ),
];

/** Languages with lexers of their own. */
const LEXED = "javascript vue python go rust java kotlin c csharp ruby php".split(" ");

test("hostile text takes linear time", () => {
  for (const language of LEXED) {
    for (const piece of REPEATED) {
      const times = piece.length === 1 ? 100_000 : 40_000 / piece.length;
      const tookMs = cpuMs(() => void extractFacts(language, piece.repeat(times)));
      assert.ok(tookMs < 1_000, `${language} took ${Math.round(tookMs)} ms for ${JSON.stringify(piece)}`);
    }
    const line = "const value = call(other, 'text') / 2; ".repeat(5_000_000 / 40);
    assert.ok(cpuMs(() => void extractFacts(language, line)) < 5_000, `${language}: a line of 5 MB`);
  }
});
