/** Scenes in which findings of earlier pull requests are recalled. */
import assert from "node:assert/strict";
import type { PullRequest, Repository } from "../../fake-github/world.ts";
import { reasonOf } from "./app/pushes.ts";
import type { RunningApp } from "./app/running-app.ts";
import { eventually } from "./eventually.ts";
import {
  FINISHING,
  type ModelScene,
  type ModelSceneOptions,
  type OpenModelScene,
  oneByOne,
  recording,
  summaryOn,
} from "./model-scenes/model-scene.ts";
import type { ModelScript } from "./model-server/script.ts";

export const TITLE = "The promise of fetchUsers is not awaited";

export const BODY = "Errors of fetchUsers are lost, because the caller of load never awaits the promise.";

export const QUOTE = "  void fetchUsers();";

/** The first change, which gets a finding, and one that resembles it. */
const FIRST = {
  title: "Load users in the background",
  files: { "src/users.ts": `export function load() {\n${QUOTE}\n}\n` },
};

export const similar = (name: string) => ({
  title: "Load users again after a push, without waiting for the promise of fetchUsers",
  body: "The caller of load never awaits, and errors are lost.",
  files: { "src/users.ts": `export function ${name}() {\n  fetchUsers().then(load);\n}\n` },
});

/** A model that reports the same problem wherever it sees it. */
const SCRIPT: ModelScript = ({ prompt, turn }) => {
  const found = recording({ path: "src/users.ts", quote: QUOTE, title: TITLE, body: BODY });
  const calls = prompt.includes(QUOTE) ? [found, FINISHING] : [FINISHING];
  return oneByOne(calls)[turn] ?? {};
};

/** Kodiai's own rules would report other things. */
export const config = (memory: string): string =>
  `review:\n  summary: always\nfloor:\n  enabled: false\nmemory:\n${memory}`;

export const ON = config("  enabled: true\n");

type MemoryScene = ModelScene & Pick<RunningApp, "output">;

export async function openScene(
  openModelScene: OpenModelScene,
  options: Partial<ModelSceneOptions> = {},
): Promise<MemoryScene> {
  const scene = await openModelScene({ script: SCRIPT, config: ON, pullRequest: FIRST, ...options });
  const app = await scene.start();
  return { ...scene, output: () => app.output() };
}

/** Reviews a pull request, and waits until its findings, which the team accepts, can be recalled. */
export async function review(scene: ModelScene, pullRequest: PullRequest): Promise<void> {
  const { fake, database } = scene;
  const reason = await reasonOf(scene, async () =>
    fake.send(await fake.events.pullRequest("opened", pullRequest)),
  );
  assert.equal(reason, "published");
  await eventually("the vectors", async () => {
    const jobs = await scene.queue.list({ states: null, limit: 1_000 });
    return jobs.every(({ kind, state }) => kind !== "embed" || state === "done" || state === "superseded");
  });
  await database.query("update memories set outcome = 'accepted' where outcome = 'open'");
}

export async function openAndReview(
  scene: ModelScene,
  request: Parameters<ModelScene["fake"]["openPullRequest"]>[1],
  repository: Repository = scene.repository,
): Promise<{ readonly pullRequest: PullRequest; readonly prompt: string; readonly summary: string }> {
  const before = scene.server.requests.length;
  const pullRequest = await scene.fake.openPullRequest(repository, request);
  await review(scene, pullRequest);
  const prompt = scene.server.requests[before]?.prompt ?? "";
  return { pullRequest, prompt, summary: summaryOn(scene.fake, pullRequest) };
}

/** Forgets the learning whose command is in the summary, as a person of the team does in a comment. */
export async function takeBack(
  { fake, database }: ModelScene,
  { pullRequest, summary }: { readonly pullRequest: PullRequest; readonly summary: string },
): Promise<void> {
  const [, id = ""] = /`kodiai memory forget l(\d+)`/.exec(summary) ?? [];
  assert.notEqual(id, "", summary);
  await fake.send(
    fake.events.comment(fake.comment(pullRequest, { author: "ben", body: `@kodiai forget l${id}` })),
  );
  await eventually("the learning to be gone", async () => {
    const rows = await database.query("select id from learnings where id = $1", [Number(id)]);
    return rows.length === 0;
  });
}
