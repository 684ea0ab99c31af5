/** A change with secrets in its code and its description, and a model that looks in every way and then quotes them. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import type { ModelTurn, ScriptedRequest } from "../model-server/script.ts";
import { FINISHING, type OpenModelScene, recording, type SceneProvider } from "./model-scene.ts";

// In two parts, so that secret scanners don't report this file.
const FIRST_KEY = ["AKIA", "Q5ZGLXW2MPKD6TVR"].join("");
const SECOND_KEY = ["AKIA", "X3WJTPL6QMZK4VHD"].join("");
const DESCRIBED_KEY = ["AKIA", "M7RDKQX2WPLZ5TVH"].join("");

const PEM = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();

const FILES = {
  "src/keys.ts": [
    'export const region = "eu";',
    `export const first = "${FIRST_KEY}";`,
    `export const second = "${SECOND_KEY}";`,
    "export const pem = `",
    PEM.trim(),
    "`;",
    "",
  ].join("\n"),
  "src/keys.test.ts": "// keys\n",
};

const VALUES = [
  FIRST_KEY,
  SECOND_KEY,
  DESCRIBED_KEY,
  ...PEM.split("\n").filter((line) => line !== "" && !line.startsWith("-")),
];

/** The line of the second key as the model sees it. */
function maskedLine({ toolResults }: ScriptedRequest): string {
  const shown = toolResults.join("\n").split("\n");
  return shown.find((line) => line.includes("export const second"))?.replace(/^\d+\t/, "") ?? "";
}

/** Looks in every way there is, and then quotes what it was shown. */
function curious(request: ScriptedRequest): ModelTurn {
  const looks = [
    { name: "read_file", args: { path: "src/keys.ts" } },
    { name: "show_diff", args: { path: "src/keys.ts" } },
    { name: "search_code", args: { pattern: "export const" } },
    { name: "search_code", args: { pattern: FIRST_KEY.slice(0, 8) } },
    { name: "blame", args: { path: "src/keys.ts", from: 1, to: 8 } },
    { name: "file_history", args: { path: "src/keys.ts" } },
    { name: "find_symbol", args: { name: "second" } },
    { name: "find_references", args: { name: "first" } },
  ];
  if (request.turn === 0) return { toolCalls: looks };
  const quote = maskedLine(request);
  return {
    toolCalls: [
      recording({
        path: "src/keys.ts",
        quote,
        title: "The same account signs for every region",
        body: `A holder of \`${quote}\` can sign for all.`,
      }),
      FINISHING,
    ],
  };
}

export async function assertSecretsUnseen(
  openModelScene: OpenModelScene,
  provider: SceneProvider,
): Promise<void> {
  const scene = await openModelScene({
    provider,
    script: curious,
    pullRequest: { files: FILES, body: `Try it with ${DESCRIBED_KEY}, please.` },
  });
  const app = await scene.start();
  await scene.send("opened");
  const [job] = await scene.settled();
  assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
  const { requests } = scene.server;
  assert.equal(requests.length, 2);
  const said = JSON.stringify(requests.map(({ body }) => body));
  const seen = VALUES.filter((value) => said.includes(value));
  // The model searched for the beginning of a key, which is in its own question.
  assert.deepEqual(seen, []);
  assert.match(maskedLine(requests[1] ?? assert.fail()), /^export const second = "\[masked:[^\]]+\]";$/);
  const places = scene.published().comments;
  assert.deepEqual(places.toSorted(), [
    "src/keys.ts:2",
    // One finding names all secrets of a file. The model's own finding is about something else.
    "src/keys.ts:3",
  ]);
  const published = [
    scene.summary(),
    ...scene.fake.reviewCommentsOf(scene.pullRequest).map(({ body }) => body),
  ].join("\n");
  assert.match(published, /\*\*\[major\] The same account signs for every region\*\*/);
  assert.match(published, /secret.*description|description.*secret/i);
  for (const value of VALUES) {
    assert.ok(!published.includes(value), "a value is on the pull request");
    assert.ok(!app.output().includes(value), "a value is in the log");
  }
  scene.check();
}
