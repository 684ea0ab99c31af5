/** Several passes over one large change: one publication, and a failed pass or a crashed process costs only itself. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import {
  FINISHING,
  type ModelScene,
  type ModelSceneOptions,
  oneByOne,
  recording,
  testModels,
} from "../support/model-scenes/model-scene.ts";
import type { ModelRequest } from "../support/model-server/model-server.ts";
import type { ModelScript, ScriptedRequest } from "../support/model-server/script.ts";

const FOLDERS = ["api", "shop", "web"] as const;
type Folder = (typeof FOLDERS)[number];

/** So many files in each folder; each folder becomes a pass. */
function filesIn(count: number): Readonly<Record<string, string>> {
  const files = FOLDERS.flatMap((folder) =>
    Array.from({ length: count }, (_, index) => {
      const name = String(index).padStart(2, "0");
      return [`src/${folder}/${name}.ts`, `export const ${folder}${name} = ${index};\n`] as const;
    }),
  );
  return Object.fromEntries(files);
}

const CHUNKED = (threshold: number, filesPerChunk: number): string =>
  [
    "review:",
    "  mode: strict",
    "  chunked:",
    "    enabled: true",
    `    threshold: ${threshold}`,
    `    filesPerChunk: ${filesPerChunk}`,
    "",
  ].join("\n");

function folderOf({ prompt }: Pick<ScriptedRequest, "prompt">): Folder | null {
  return FOLDERS.find((folder) => prompt.includes(`=== src/${folder}/00.ts (`)) ?? null;
}

const found = (folder: Folder, number: number) =>
  recording({
    path: `src/${folder}/0${number}.ts`,
    quote: `export const ${folder}0${number} = ${number};`,
    title: `The number of ${folder} ${number} is wrong`,
  });

/** Records three findings in the folder it was given, one per turn, and finishes. */
const THREE_EACH: ModelScript = (request) => {
  const folder = folderOf(request) ?? "api";
  const calls = [found(folder, 0), found(folder, 1), found(folder, 2), FINISHING];
  return oneByOne(calls)[request.turn] ?? { text: "Done." };
};

const commentsIn = (...folders: readonly Folder[]): readonly string[] =>
  folders.flatMap((folder) => [0, 1, 2].map((number) => `src/${folder}/0${number}.ts:1`));

const LARGE: ModelSceneOptions = {
  script: THREE_EACH,
  config: CHUNKED(100, 50),
  pullRequest: { files: filesIn(50), title: "Numbers" },
};

/** First requests of conversations, by the folder that they were about. */
function conversations({ server }: ModelScene): readonly (Folder | null)[] {
  return server.requests.filter(({ turn, attempt }) => turn === 0 && attempt === 0).map(folderOf);
}

async function review(scene: ModelScene) {
  await scene.start();
  await scene.send("opened");
  const [job] = await scene.settled();
  return job;
}

testModels(
  "150 files in three passes: each reads its own part, and one publication shows everything",
  async (openModelScene) => {
    const scene = await openModelScene(LARGE);
    const job = await review(scene);
    assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
    assert.deepEqual(conversations(scene), FOLDERS);
    assert.deepEqual(
      { ...scene.published(), comments: scene.published().comments.toSorted() },
      { reviews: 1, comments: commentsIn(...FOLDERS), summaries: 1, conclusions: ["neutral"] },
    );
    assert.match(scene.summary(), /Reviewed: 150 added lines in 150 files/);
    scene.check();
  },
);

testModels(
  "[P17] the second of three passes fails: the review says so, its files are listed as not read, the others are kept",
  async (openModelScene) => {
    const scene = await openModelScene(LARGE);
    const refusing = { faults: [{ kind: "status", status: 400, times: "always" }] } as const;
    scene.server.onConversation((request) => folderOf(request) === "shop", [refusing]);
    const job = await review(scene);
    assert.deepEqual([job?.state, job?.reason], ["done", "model-failed"]);
    // A wrong request fails the same way the second time.
    assert.deepEqual(conversations(scene), FOLDERS);
    assert.deepEqual(
      { ...scene.published(), comments: scene.published().comments.toSorted() },
      { reviews: 1, comments: commentsIn("api", "web"), summaries: 1, conclusions: ["neutral"] },
    );
    const summary = scene.summary();
    assert.match(
      summary,
      /openai:scripted failed \(HTTP 400: request rejected\) in part 2 of 3: it recorded nothing/,
    );
    assert.match(summary, /Reviewed: 100 of 150 added lines in 100 of 150 files/);
    assert.match(
      summary,
      /Reviewed by built-in rules only: 50 lines in 50 files \(the model failed\): `src\/shop\/\d\d\.ts`/,
    );
    scene.check();
  },
);

/** Kills the process when a request of this kind comes for the first time; says whether it has come. */
function killAt(
  { server }: ModelScene,
  isMeant: (request: ModelRequest) => boolean,
  kill: () => void,
): () => boolean {
  let isKilled = false;
  server.onRequest((request) => {
    if (isKilled || !isMeant(request)) return;
    isKilled = true;
    kill();
  });
  return () => isKilled;
}

testModels(
  "[P17] a process is killed during a review: its findings are published once, and a finished pass isn't repeated",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: THREE_EACH,
      config: CHUNKED(50, 20),
      pullRequest: { files: filesIn(20), title: "Numbers" },
    });
    let app = await scene.start();
    const kill = (): void => app.kill("SIGKILL");
    // In the first pass with two findings recorded, and in the second before it has any.
    const deaths = [
      killAt(scene, (request) => folderOf(request) === "api" && request.turn === 2, kill),
      killAt(scene, (request) => folderOf(request) === "shop", kill),
    ];
    await scene.send("opened");
    for (const isKilled of deaths) {
      await eventually("the process to be killed", isKilled);
      assert.equal(await app.ended, "SIGKILL");
      app = await scene.start();
    }
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "published", 3]);
    assert.deepEqual(conversations(scene), ["api", "api", "shop", "shop", "web"]);
    // The killed process and its successor both recorded it, and it is one finding.
    const again = scene.server.requests.findLast((request) => folderOf(request) === "api");
    assert.match(
      again?.toolResults.join("\n") ?? "",
      /Already recorded.*\n.*Already recorded.*\nRecorded \(3\)/,
    );
    assert.deepEqual(scene.published().comments.toSorted(), commentsIn(...FOLDERS));
    assert.deepEqual(scene.published().conclusions, ["neutral"]);
    scene.check();
  },
);

testModels(
  "findings of a killed process are published even if the model is unavailable afterwards",
  async (openModelScene) => {
    const scene = await openModelScene({
      script: THREE_EACH,
      config: "timeoutSeconds: 60\n",
      pullRequest: { files: filesIn(3), title: "Numbers" },
    });
    const app = await scene.start();
    const isKilled = killAt(
      scene,
      ({ turn }) => turn === 2,
      () => app.kill("SIGKILL"),
    );
    await scene.send("opened");
    await eventually("the process to be killed", isKilled);
    await app.ended;
    scene.server.script([{ faults: [{ kind: "status", status: 401, times: "always" }] }]);
    await scene.start();
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "model-failed"]);
    assert.deepEqual(scene.published().comments.toSorted(), ["src/api/00.ts:1", "src/api/01.ts:1"]);
    assert.match(
      scene.summary(),
      /failed \(HTTP 401: authentication failed\): 2 findings recorded until then are kept/,
    );
    await eventually("the check to end", () => scene.published().conclusions[0] === "neutral");
    scene.check();
  },
);
