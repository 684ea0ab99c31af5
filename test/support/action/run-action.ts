/**
 * Runs the built Action as a runner of GitHub does: with its variables, an event file, and files for outputs and the summary. Only the
 * download of packages is left out: the lock file names the program alone, and its packages are those of this checkout.
 */
import { type ChildProcess, spawn } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import type { JsonObject } from "../../../fake-github/json.ts";
import type { Webhook } from "../../../fake-github/payloads.ts";
import { BIN, DIST } from "../built-program.ts";
import type { Scenario } from "../app/scenario.ts";
import type { Cleanup } from "../local-server.ts";

export type ActionRequest = {
  /** As GitHub names it for workflows. */
  readonly event: string;
  readonly payload: JsonObject;
  readonly token: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
};

export type ActionRun = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
};

export type StartedAction = { readonly child: ChildProcess; readonly ended: Promise<ActionRun> };

export type ActionRunner = {
  /** With action.yml. */
  readonly root: string;
  /** Of a checkout: a test may put anything there. */
  readonly workspace: string;
  readonly temporaryFolder: string;
  /** The variables of a step, without inputs. */
  environment(request: Pick<ActionRequest, "event" | "payload">): Record<string, string>;
  start(request: ActionRequest): StartedAction;
  run(request: ActionRequest): Promise<ActionRun>;
  /**
   * The step after the installation, with the program of this checkout: an installation takes npm and Node as long as two reviews, and is
   * the subject of few tests.
   */
  runInstalled(request: ActionRequest): Promise<ActionRun>;
};

const ROOT = dirname(DIST);

/** A copy of the Action as a release has it, whose lock file lists nothing that would have to be downloaded. Returns its folder. */
export function localAction(t: Cleanup): string {
  const root = mkdtempSync(join(tmpdir(), "kodiai-action-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "dist/action");
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(ROOT, "action.yml"), join(root, "action.yml"));
  const built = join(DIST, "action");
  for (const name of readdirSync(built)) copyFileSync(join(built, name), join(folder, name));
  // The form that scripts/action-package.ts writes.
  const lock = JSON.parse(readFileSync(join(built, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, JsonObject>>;
  };
  const {
    dependencies: _all,
    optionalDependencies: _others,
    ...program
  } = lock.packages["node_modules/kodiai"] ?? {};
  const packages = { "": lock.packages[""], "node_modules/kodiai": program };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ ...lock, packages }));
  return root;
}

/** The file that a runner starts. */
export function entryOf(root: string): string {
  const { runs } = parse(readFileSync(join(root, "action.yml"), "utf8")) as { runs: { main: string } };
  return join(root, runs.main);
}

export function createActionRunner(t: Cleanup, { fake, repository }: Scenario): ActionRunner {
  const root = localAction(t);
  const entry = entryOf(root);
  const folder = mkdtempSync(join(tmpdir(), "kodiai-runner-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [workspace, temporaryFolder, tools] = ["work", "temp", "tools"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [workspace, temporaryFolder, tools]) mkdirSync(each);
  // Node looks for packages in the folders above the program, too.
  symlinkSync(join(ROOT, "node_modules"), join(temporaryFolder, "node_modules"));
  const data = join(temporaryFolder, "kodiai-data");
  let runs = 0;
  const environment: ActionRunner["environment"] = ({ event, payload }) => {
    const eventPath = join(folder, `event-${++runs}.json`);
    // Events of workflows name no installation.
    const { installation: _none, ...rest } = payload;
    writeFileSync(eventPath, JSON.stringify(rest));
    const [output, summary] = [join(folder, `output-${runs}`), join(folder, `summary-${runs}.md`)];
    for (const each of [output, summary]) writeFileSync(each, "");
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_EVENT_NAME: event,
      GITHUB_EVENT_PATH: eventPath,
      GITHUB_REPOSITORY: `${repository.owner.login}/${repository.name}`,
      GITHUB_REPOSITORY_ID: String(repository.id),
      GITHUB_API_URL: fake.url,
      GITHUB_SERVER_URL: fake.gitUrl,
      GITHUB_RUN_ID: String(runs),
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_ACTION: "__self",
      GITHUB_JOB: "review",
      GITHUB_WORKSPACE: workspace,
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      RUNNER_TEMP: temporaryFolder,
      RUNNER_TOOL_CACHE: tools,
      KODIAI_OFFLINE: "on",
    };
  };
  const startFile = (
    args: readonly string[],
    { event, payload, token, inputs = {}, env = {} }: ActionRequest,
  ): StartedAction => {
    const given = { "github-token": token, ...inputs };
    const ofRunner = environment({ event, payload });
    const variables = {
      ...ofRunner,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [inputVariable(name), value])),
      ...env,
    };
    const child = spawn(process.execPath, args, { cwd: workspace, env: variables });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const ended = new Promise<ActionRun>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) =>
        resolve({
          code: code ?? -1,
          stdout,
          stderr,
          outputs: parseOutputs(readFileSync(ofRunner["GITHUB_OUTPUT"] ?? "", "utf8")),
          summary: readFileSync(ofRunner["GITHUB_STEP_SUMMARY"] ?? "", "utf8"),
        }),
      );
    });
    return { child, ended };
  };
  const start: ActionRunner["start"] = (request) => startFile([entry], request);
  return {
    root,
    workspace,
    temporaryFolder,
    environment,
    start,
    run: (request) => start(request).ended,
    runInstalled: (request) =>
      startFile([BIN, "action"], { ...request, env: { KODIAI_DATA: data, ...request.env } }).ended,
  };
}

/** As the runner names it. */
function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;
}

/** As the runner reads the file. */
export function parseOutputs(text: string): Readonly<Record<string, string>> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const [, name, delimiter] = /^([^=<]+)<<(.+)$/.exec(line) ?? [];
    if (name === undefined || delimiter === undefined) throw new Error(`not an output: ${line}`);
    const end = lines.indexOf(delimiter, at + 1);
    if (end === -1) throw new Error(`the output ${name} has no end`);
    outputs[name] = lines.slice(at + 1, end).join("\n");
    at = end;
  }
  return outputs;
}

/** The commands that a runner obeys in a step's output: `::` at the start of a line, and `##[` anywhere. */
export function commandsIn(output: string): readonly string[] {
  return output.split(/\r\n|\n|\r/).flatMap((line) => {
    const command = /^\s*::([\w-]+)/.exec(line)?.[1] ?? /##\[([\w-]+)/.exec(line)?.[1];
    return command === undefined ? [] : [command];
  });
}

/** The request for a webhook of the fake. */
export function requestOf(
  { event, payload }: Webhook,
  token: string,
  more: Partial<ActionRequest> = {},
): ActionRequest {
  return { event, payload, token, ...more };
}
