/** A model's findings about code that the change breaks and doesn't touch, from its calls to what people see. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "../support/model-scenes/desk.ts";
import {
  FINISHING,
  modelEnvironment,
  recording,
  type SceneProvider,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelTurn } from "../support/model-server/script.ts";

const SHOP = 'import { find } from "./users.ts";\n\nfind("ada").trim();\nconst rest = compute(1);\n';

const BROKEN = recording({
  path: "src/shop.ts",
  quote: 'find("ada").trim();',
  title: "A missing user ends the shop",
  body: "`find` returns nothing for an unknown id.",
});
const UNRELATED = recording({
  path: "src/shop.ts",
  quote: "const rest = compute(1);",
  title: "The rest is wrong",
});

type Output = {
  readonly findings: readonly {
    readonly title: string;
    readonly path: string;
    readonly startLine: number | null;
    readonly severity: string;
    readonly placement: string;
    readonly body: string;
    readonly seenAt?: readonly unknown[];
  }[];
  readonly dropped: readonly unknown[];
};

const PROVIDERS: readonly SceneProvider[] = ["openai", "claude"];

for (const provider of PROVIDERS) {
  test(`models: findings outside the change are moved or listed, and an early end is refused (${provider})`, async (t) => {
    const misquoted = recording({
      path: "src/users.ts",
      quote: "return all[0] ?? none",
      title: "No one is found",
    });
    const requoted = recording({
      path: "src/users.ts",
      quote: "  return all.get(id);",
      title: "No one is found",
    });
    const script: readonly ModelTurn[] = [
      { toolCalls: [{ name: "show_diff", args: {} }] },
      { toolCalls: [BROKEN, UNRELATED, misquoted, FINISHING] },
      { toolCalls: [requoted, FINISHING] },
    ];
    const { server, run } = await openDesk(t, {
      provider,
      before: {
        "src/users.ts": "const all = new Map();\nexport function find(id: string) {\n  return id;\n}\n",
        "src/shop.ts": SHOP,
      },
      after: {
        "src/users.ts":
          "const all = new Map();\nexport function find(id: string) {\n  return all.get(id);\n}\n",
      },
      script,
    });
    const { KODIAI_MODEL = "" } = modelEnvironment(provider, server.url);
    const { stdout, stderr } = await run(["-f", "json"], { KODIAI_MODEL });
    const { findings, dropped }: Output = JSON.parse(stdout);
    const shown = findings
      .map(({ title, path, startLine, severity, placement }) =>
        [title, `${path}:${startLine}`, severity, placement].join(", "),
      )
      .filter((text) => !text.includes("test"));
    assert.deepEqual(
      shown.toSorted(),
      [
        "A missing user ends the shop, src/users.ts:3, major, inline",
        // Placed only because the model had another turn.
        "No one is found, src/users.ts:3, major, inline",
        "The rest is wrong, src/shop.ts:4, medium, details",
      ],
      stderr,
    );
    assert.deepEqual(dropped, []);
    const moved = findings.find(({ title }) => title.startsWith("A missing"));
    assert.deepEqual(moved?.seenAt, [{ path: "src/shop.ts", startLine: 3, endLine: 3 }]);
    assert.match(moved?.body ?? "", /Seen at src\/shop\.ts:3\.$/);
  });
}

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
