/** Two findings, the explanations that people give for them, and a later change with the same problems in other words. */
import type { PullRequest } from "../../fake-github/world.ts";
import { commentOn, learning, review } from "./feedback-fixtures.ts";
import {
  FINISHING,
  type ModelScene,
  type OpenModelScene,
  oneByOne,
  recording,
} from "./model-scenes/model-scene.ts";
import type { ModelScript } from "./model-server/script.ts";
import { config, openScene } from "./recall-fixtures.ts";

const CALL = "  void refreshAll();";
const QUERY = "  return db.query(`select * from users where id = ${id}`);";

const codeOf = (before: string): string => `${before}export function start(id) {\n${CALL}\n${QUERY}\n}\n`;

/** Two wordings of one problem, and of a security defect. */
const WORDINGS = [
  {
    call: {
      title: "The promise of `refreshAll` is not awaited",
      body: "Errors of refreshAll are lost, because start never awaits the promise it returns.",
    },
    query: { title: "SQL injection in `start`", body: "The id goes into the query text unescaped." },
  },
  {
    call: {
      title: "Unhandled rejection: `refreshAll()` runs without await",
      body: "When the promise of refreshAll rejects, its error is lost and nothing handles it.",
    },
    query: {
      title: "User input reaches the SQL text",
      body: "An attacker chooses id and injects SQL into the query of start.",
    },
  },
] as const;

/** How the model understands a reply. */
const UNDERSTOOD = {
  verdict: "disagrees",
  reason: "refreshAll handles its own errors, so it isn't awaited.",
  scope: "file",
};

const SCRIPT: ModelScript = ({ prompt, tools, turn }) => {
  if (tools.includes("record_reply")) return { toolCalls: [{ name: "record_reply", args: UNDERSTOOD }] };
  const { call, query } = WORDINGS[prompt.includes("second try") ? 1 : 0];
  const path = "src/start.js";
  const calls = [
    recording({ path, quote: CALL, ...call }),
    recording({ path, quote: QUERY, ...query, category: "security" }),
    FINISHING,
  ];
  return oneByOne(prompt.includes("refreshAll") ? calls : [FINISHING])[turn] ?? {};
};

const REASON = "refreshAll reports its own errors to Sentry, we never await it.";

export async function openWithFindings(openModelScene: OpenModelScene): Promise<ModelScene> {
  const scene = await openScene(openModelScene, {
    script: SCRIPT,
    config: config("  enabled: true\n"),
    pullRequest: { title: "Start", files: { "src/start.js": codeOf("") } },
  });
  scene.repository.roles.set("ben", "write");
  await review(scene, scene.pullRequest);
  return scene;
}

/** A thumbs-down and a reply, on the comments of both findings. */
export async function explain(scene: ModelScene, by: string, pullRequest: PullRequest): Promise<void> {
  for (const line of [2, 3]) {
    const comment = commentOn(scene, pullRequest, line);
    scene.fake.react(comment, { by, content: "-1" });
    await learning(scene, async () => {
      const reply = scene.fake.reply(comment, { author: by, body: REASON });
      await scene.fake.send(await scene.fake.events.reviewComment(reply));
    });
  }
}

export const SECOND = {
  title: "The second try: await the promise of refreshAll, so that its errors aren't lost",
  body: "The promise that refreshAll returns is not awaited.",
  files: { "src/start.js": codeOf("// second try\n\n") },
};
