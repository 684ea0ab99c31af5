/** Findings about code that the change breaks and doesn't touch, from the agent program and on GitHub. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FINISHING, testModels } from "../support/model-scenes/model-scene.ts";
import { assertOutsideFindings, BROKEN, SHOP, UNRELATED } from "../support/outside-fixtures.ts";

test("models: findings outside the change are moved or listed, and an early end is refused (claude)", (t) =>
  assertOutsideFindings(t, "claude"));

testModels(
  "models: a comment on a changed declaration links to the caller that it breaks",
  async (openModelScene) => {
    const scene = await openModelScene({
      baseFiles: { "src/shop.ts": SHOP },
      script: [
        { toolCalls: [{ name: "show_diff", args: {} }] },
        { toolCalls: [BROKEN, UNRELATED] },
        { toolCalls: [FINISHING] },
      ],
    });
    await scene.start();
    assert.equal(await scene.send("opened"), 202);
    await scene.settled();
    const comment = scene.comments().get("src/users.ts:3") ?? "";
    assert.match(comment, /^\*\*\[major\] A missing user ends the shop\*\*/);
    assert.match(comment, /Seen at \[`src\/shop\.ts:3`\]\(http[^)]*\/blob\/[0-9a-f]{40}\/src\/shop\.ts#L3\)/);
    assert.match(
      scene.summary(),
      /More findings \(\d+\)[^]*The rest is wrong, \[`src\/shop\.ts:4`\]\(http[^)]*\/src\/shop\.ts#L4\)/,
    );
    assert.doesNotMatch(scene.summary(), /outside the change/);
    scene.check();
  },
);
