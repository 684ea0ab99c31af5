/** Reviews whose prompt is read. */
import type { TestContext } from "node:test";
import { AFTER, BEFORE } from "./app/scenario.ts";
import { FINISHING, modelEnvironment, oneByOne } from "./model-scenes/model-scene.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";
import { type RunResult, runKodiai } from "./run-kodiai.ts";
import { testRepository } from "./test-repository.ts";

type Files = Readonly<Record<string, string>>;

type Desk = { readonly server: ModelServer; readonly review: () => Promise<RunResult> };

/** `base` is on the base branch; `head` is the change to it, in addition to the sample change. */
export async function openDesk(t: TestContext, base: Files, head: Files = {}): Promise<Desk> {
  const made = testRepository();
  const server = await startModelServer();
  t.after(async () => {
    await server.close();
    made.remove();
  });
  const writeAll = (files: Files): void => {
    for (const [path, text] of Object.entries(files)) made.write(path, text);
  };
  server.script(oneByOne([FINISHING]));
  writeAll({ ...BEFORE, ...base });
  made.commit("before");
  made.git("checkout", "--quiet", "-b", "feature");
  writeAll({ ...AFTER, ...head });
  made.commit("after");
  const review = (): Promise<RunResult> =>
    runKodiai(["review"], { cwd: made.path, env: modelEnvironment("openai", server.url) });
  return { server, review };
}

/** The prompt up to the diff, in which the change may say what it likes. */
export function beforeTheDiff({ requests }: ModelServer): string {
  const [prompt = ""] = (requests[0]?.prompt ?? "").split("# The diff");
  return prompt;
}

/** A configuration that gives instructions. */
export const SAYS = (who: string): string =>
  [
    "review:",
    `  prompt: Words of the ${who} for all`,
    "  pathInstructions:",
    '    - paths: ["src/**"]',
    `      instructions: Words of the ${who} for paths`,
    "  patterns:",
    `    customRules: ["Words of the ${who} as a rule"]`,
    "",
  ].join("\n");

/** The last one lacks its text. */
export const LEARNINGS = (who: string): string => `learnings:
  - text: Words of the ${who} as a learning.
    owner: ada
  - text: Words of the ${who} for other files.
    paths: ["elsewhere/**"]
  - kind: context
`;
