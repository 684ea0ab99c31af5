/** A change that breaks a caller in a file that it doesn't touch, and what a model records about both. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { openDesk } from "./model-scenes/desk.ts";
import { FINISHING, modelEnvironment, recording, type SceneProvider } from "./model-scenes/model-scene.ts";
import type { ModelTurn } from "./model-server/script.ts";

export const SHOP = 'import { find } from "./users.ts";\n\nfind("ada").trim();\nconst rest = compute(1);\n';

export const BROKEN = recording({
  path: "src/shop.ts",
  quote: 'find("ada").trim();',
  title: "A missing user ends the shop",
  body: "`find` returns nothing for an unknown id.",
});
export const UNRELATED = recording({
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

/** On the command line: the finding about the caller is moved to the change, another one is listed, and an early end is refused. */
export async function assertOutsideFindings(t: TestContext, provider: SceneProvider): Promise<void> {
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
}
