/**
 * The entry of the GitHub Action: installs the program, which is next to this file, into an empty folder and runs it there. Nothing
 * of the workspace takes part: no manifest, no npm configuration, no program of its `node_modules`, no git configuration.
 */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "./base/errors.ts";
import { workflowCommand } from "./base/workflow-command.ts";
import { environment } from "./config/settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** scripts/action-package.ts writes them next to this file. */
const PACKAGE_FILES = ["package.json", "package-lock.json", "kodiai.tgz"];

/** npm gets these variables and no others: where programs and temporary files are, how the network is reached, and the registry. */
const NPM_VARIABLE =
  /^(?:PATH|SYSTEMROOT|TMPDIR|TEMP|TMP|https?_proxy|no_proxy|all_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|npm_config_(?:registry|cafile|noproxy|proxy|https_proxy))$/i;

/**
 * The program doesn't get these. The first ones change what Node and git run, and the job's own tokens for caches and identities are
 * not for other programs.
 */
const WITHHELD_VARIABLE =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_.*|GIT_(?!SSL_CAINFO$).*|npm_.*|ACTIONS_.*)$/i;

/** npm explains a failure in a few lines; an error that the workflow shows needn't be longer. */
const MAX_FAILURE_CHARS = 2_000;

/** As shells: 128 plus the number of the signal. */
const exitCodeOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);

const env = withTrustedPath(environment());
const temporary = env["RUNNER_TEMP"] ?? tmpdir();
const folder = mkdtempSync(join(temporary, "kodiai-"));
try {
  process.exitCode = await main();
} catch (error) {
  process.stdout.write(`${workflowCommand("error", { title: "Kodiai" }, messageOf(error))}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<number> {
  await install();
  const data = join(temporary, "kodiai-data");
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const isPersistent = env["INPUT_PERSIST"]?.trim() === "true";
  const kept = isPersistent ? (await import("./action/kept-data.ts")).openKeptData(data, env) : null;
  await kept?.restore();
  const work = join(folder, "work");
  mkdirSync(work);
  const { code } = await run([join(folder, "node_modules/kodiai/bin/kodiai.js"), "action"], {
    cwd: work,
    env: { ...without(env, WITHHELD_VARIABLE), KODIAI_DATA: data, XDG_CACHE_HOME: join(data, "user") },
    isQuiet: false,
  });
  await kept?.save();
  return code;
}

async function install(): Promise<void> {
  const source = dirname(fileURLToPath(import.meta.url));
  for (const name of PACKAGE_FILES) copyFileSync(join(source, name), join(folder, name));
  const startedAt = performance.now();
  const args = ["ci", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline"];
  const { code, stderr } = await run([findNpm(), ...args], {
    cwd: folder,
    env: {
      ...Object.fromEntries(Object.entries(env).filter(([name]) => NPM_VARIABLE.test(name))),
      HOME: folder,
      npm_config_userconfig: join(folder, "no-user-config"),
      // A file in this cache counts only if its hash is the one in the lock file.
      npm_config_cache: join(env["RUNNER_TOOL_CACHE"] ?? folder, "kodiai-npm"),
      npm_config_update_notifier: "false",
      npm_config_loglevel: "error",
    },
    isQuiet: true,
  });
  if (code !== 0)
    throw new Error(
      `Kodiai couldn't be installed (npm exited with ${code}). If this runner reaches packages only through a mirror, set NPM_CONFIG_REGISTRY in the step's env.\n${stderr.slice(-MAX_FAILURE_CHARS)}`,
    );
  process.stdout.write(`Kodiai is installed (${((performance.now() - startedAt) / 1_000).toFixed(1)} s)\n`);
}

/** The runner's own Node includes npm. Elsewhere, npm is searched in PATH. */
function findNpm(): string {
  const bin = dirname(realpathSync(process.execPath));
  const own = [
    join(bin, "../lib/node_modules/npm/bin/npm-cli.js"),
    join(bin, "node_modules/npm/bin/npm-cli.js"),
  ];
  const inPath = (env["PATH"] ?? "")
    .split(delimiter)
    .map((each) => join(each, "npm"))
    .filter((path) => existsSync(path))
    .map((path) => realpathSync(path))
    .flatMap((path) =>
      path.endsWith(".js") ? [path] : [join(dirname(path), "node_modules/npm/bin/npm-cli.js")],
    );
  const found = [...own, ...inPath].find((path) => existsSync(path));
  if (found === undefined)
    throw new Error(
      "Kodiai needs npm, and neither the runner's Node nor PATH has it. Add a step with actions/setup-node before this one.",
    );
  return found;
}

type RunOptions = {
  readonly cwd: string;
  readonly env: Environment;
  /** Keeps the output for a failure instead of showing it. */
  readonly isQuiet: boolean;
};

/** Runs a script on this Node. Signals are passed on, because the runner signals only this process when a job is cancelled. */
function run(
  args: readonly string[],
  { cwd, env: given, isQuiet }: RunOptions,
): Promise<{ readonly code: number; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = isQuiet ? ["ignore", "ignore", "pipe"] : "inherit";
    const child: ChildProcess = spawn(process.execPath, args, { cwd, env: given, stdio });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
    for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, forward);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, forward);
      resolve({ code: exitCodeOf(code, signal), stderr });
    });
  });
}

/** Steps may add folders of the workspace to PATH, where a change can put its own git. */
function withTrustedPath(all: Environment): Environment {
  const workspace = realPathOf(all["GITHUB_WORKSPACE"] ?? "");
  const isTrusted = (folder: string): boolean => {
    if (!isAbsolute(folder)) return false;
    const way = workspace === null ? ".." : relative(workspace, realPathOf(folder) ?? folder);
    return way.startsWith("..") || isAbsolute(way);
  };
  const path = (all["PATH"] ?? "").split(delimiter).filter(isTrusted);
  return { ...all, PATH: path.join(delimiter) };
}

/** Null if there is no such path. */
function realPathOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function without(all: Environment, names: RegExp): Environment {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.test(name)));
}
