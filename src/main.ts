/** Composition root: reads settings, chooses adapters and runs the command line. */
import { fileURLToPath } from "node:url";
import { runCli } from "./cli/cli.ts";
import type { AnnouncedModel, CliDeps, TextSink } from "./cli/command.ts";
import { describeModelChoice } from "./cli/describe-model-choice.ts";
import { type CommandLineModelFailure, describeModelFailure } from "./cli/describe-model-failure.ts";
import { EXIT } from "./cli/exit-code.ts";
import { createInterrupts } from "./cli/interrupts.ts";
import type { AppSources } from "./compose/app.ts";
import type { CheckLine } from "./doctor/check.ts";
import { modelsIfNamed } from "./jobs/model-review/models-if-named.ts";
import { parsePullRequestUrl } from "./forge/github/pull-request-url.ts";
import { withoutCommands } from "./base/workflow-command.ts";
import { environment, readSettings } from "./config/settings.ts";
import type { TaskRunner } from "./base/task-process/task-runner.ts";
import type { CodeTasks, ReaderTasks } from "./reading/reader.ts";
import { VERSION } from "./version.ts";

const interrupts = createInterrupts({
  now: () => performance.now(),
  exit: () => process.exit(EXIT.interrupted),
});
process.on("SIGINT", interrupts.onSignal);
process.on("SIGTERM", interrupts.onSignal);

/** Commands that open a reader work on code, of which a killed process may have left a copy. */
const sweeps: Promise<void>[] = [];

const settings = readSettings();
if (settings.namesProxy) {
  const { useProxies } = await import("./base/outbound/proxy.ts");
  const { readProxySettings } = await import("./config/proxy-settings.ts");
  useProxies(() => readProxySettings({ environment: environment(), dotEnv: null, readText: readTextIfAny }));
}
const deps: CliDeps = {
  settings,
  cwd: process.cwd(),
  version: VERSION,
  stdout: lazySink(openStdout),
  stderr: settings.githubActions
    ? withoutCommandsIn(lazySink(() => process.stderr))
    : lazySink(() => process.stderr),
  signal: interrupts.signal,
  onFirstInterrupt: interrupts.onFirst,
  now: () => process.uptime() * 1_000,
  wallClock: Date.now,
  files: {
    readInput: lazyInput,
    readFile: async (path, maxBytes) => (await import("./cli/files.ts")).readFileBounded(path, maxBytes),
    writeFile: async (path, text, options) =>
      (await import("./cli/files.ts")).writeWholeFile(path, text, options),
    writeStream: async (path, texts) => (await import("./cli/files.ts")).writeStream(path, texts),
    openOutputFolder: async (wanted) => {
      const [{ openOutputFolder }, { userCacheFolder }] = await Promise.all([
        import("./cli/output-folder.ts"),
        import("./config/user-config.ts"),
      ]);
      return openOutputFolder(wanted, userCacheFolder(environment()));
    },
    openMemoryFile: async (gitFolder, key) => {
      const { openMemoryFile } = await import("./cli/memory-file.ts");
      return openMemoryFile(gitFolder, key);
    },
  },
  code: {
    openRepository: async () => {
      const { openRepository } = await import("./repository/git/open-repository.ts");
      return openRepository(process.cwd(), settings.gitEnvironment, interrupts.signal);
    },
    parsePullRequestUrl,
    openPullRequest: async (address, onStage) => {
      const { openPullRequestView } = await import("./compose/pull-request-view.ts");
      return openPullRequestView(address, { ...appSources(), signal: interrupts.signal, onStage });
    },
    openRange: async (request) => {
      const { openRangeView } = await import("./compose/range-view.ts");
      return openRangeView(request, { gitEnvironment: settings.gitEnvironment, signal: interrupts.signal });
    },
    openReader: (signal) => openReaderProcess<ReaderTasks>("reader-main", signal),
    openCodeReader: (signal) => openReaderProcess<CodeTasks>("code-reader-main", signal),
    openCodeIndex: async (given) => {
      const [{ openCodeIndex }, { userCacheFolder }] = await Promise.all([
        import("./code-index/open-code-index.ts"),
        import("./config/user-config.ts"),
      ]);
      return openCodeIndex({ ...given, cacheFolder: userCacheFolder(environment()) });
    },
    openTokenizer: async () => (await import("./tokenizer/count-o200k-tokens.ts")).countO200kTokens,
    openAnalysers: async () => {
      const { createLazyAnalysers } = await import("./linters/lazy-analysers.ts");
      const entry = new URL(import.meta.url.replace(/main(\.m?[jt]s)$/, "analyser-main$1"));
      return createLazyAnalysers(entry, deps.now);
    },
  },
  lookups: ({ isOffline }) => ({
    openRegistries: async () => {
      const [{ openRegistries }, { userCacheFolder }] = await Promise.all([
        import("./compose/registries.ts"),
        import("./config/user-config.ts"),
      ]);
      // A `.env` file of a checkout must not decide which hosts Kodiai contacts.
      const source = { ...appSources().settings, dotEnv: null };
      const { openReader } = deps.code;
      return openRegistries(source, {
        version: VERSION,
        cacheFolder: userCacheFolder(source.environment),
        openReader,
        isOffline,
      });
    },
    wallClock: Date.now,
  }),
  fetchAdvisories: async (request) => {
    const { fetchAdvisories } = await import("./compose/advisories.ts");
    const { settings: source } = appSources();
    const context = { version: VERSION, cwd: process.cwd(), signal: interrupts.signal };
    return fetchAdvisories({ ...source, dotEnv: null }, request, context);
  },
  installation: {
    openApp: async () => (await import("./compose/app.ts")).openApp(appSources(), examineWithoutCalls),
    hasApp: async () => (await import("./config/server-settings.ts")).namesApp(appSources().settings),
    openOneShot: async (given) => (await import("./compose/one-shot.ts")).openOneShot(given, appSources()),
    openRecords: async (options) => (await import("./compose/app.ts")).openRecords(appSources(), options),
    serveDashboard: async (options) =>
      (await import("./compose/serve-dashboard.ts")).serveDashboard(
        options,
        appSources(),
        examineWithoutCalls,
      ),
    examine: async (request) => (await import("./compose/doctor.ts")).examine(request, appSources()),
    moveStore: async (from, controls) => {
      const { moveToPostgres } = await import("./compose/move.ts");
      return moveToPostgres(from, { ...appSources(), controls });
    },
    backUpStore: async (to, controls) => {
      const { backUpStore } = await import("./compose/backup.ts");
      return backUpStore(appSources().settings, to, controls);
    },
  },
  openSetup: async () => (await import("./compose/setup.ts")).composeSetup(deps),
  openModels: async (options, { stop, exchange, onFailure = printFailure, announce = printChoice } = {}) => {
    const load = async () =>
      (await import("./compose/models.ts")).localModels(options, appSources().settings, {
        stop,
        exchange,
        onFailure,
        announce,
      });
    const isNeeded = options.isDeep === true || options.isNeeded === true;
    const isNamed = options.requested !== null || settings.namesModel || isNeeded;
    return isNamed ? load() : modelsIfNamed(load);
  },
  openEvaluationAccess: async () => {
    const { composeEvaluationAccess } = await import("./compose/evaluation-access.ts");
    return composeEvaluationAccess({ ...appSources(), signal: interrupts.signal });
  },
  openEvaluation: async (source) => {
    const { openEvaluation } = await import("./compose/evaluation.ts");
    const { gitEnvironment } = settings;
    // Next to the sources in a checkout, and next to the bundle in the package.
    const shippedSets = fileURLToPath(new URL("../sets", import.meta.url));
    return openEvaluation(source, {
      gitEnvironment,
      shippedSets,
      cwd: process.cwd(),
      signal: interrupts.signal,
    });
  },
  serveMcp: async (request) => (await import("./compose/mcp.ts")).serveOverMcp(request, deps),
  createTerminalForge: async (options) => {
    const { createTerminalForge } = await import("./forge/terminal/terminal-forge.ts");
    // Only SARIF lists the rules themselves.
    const rules = options.format === "sarif" ? (await import("./rules/all-rules.ts")).ALL_RULES : [];
    return createTerminalForge({ ...options, rules });
  },
};

/** A process that runs the module with this name next to this one, both in a checkout and in the bundle. */
async function openReaderProcess<Tasks extends CodeTasks>(
  name: string,
  signal: AbortSignal,
): Promise<TaskRunner<Tasks>> {
  if (sweeps.length === 0)
    sweeps.push(import("./base/scratch-folder.ts").then(({ sweepScratchFolders }) => sweepScratchFolders()));
  const [{ createReaderProcess }, { userCacheFolder }] = await Promise.all([
    import("./reading/process/reader-process.ts"),
    import("./config/user-config.ts"),
  ]);
  const entry = new URL(import.meta.url.replace(/main(\.m?[jt]s)$/, `${name}$1`));
  return createReaderProcess<Tasks>(entry, signal, userCacheFolder(environment()));
}

function printFailure(failure: CommandLineModelFailure): void {
  deps.stderr.write(describeModelFailure(failure));
}

function printChoice(choice: AnnouncedModel): void {
  deps.stderr.write(describeModelChoice(choice));
}

function appSources(): AppSources {
  const { gitEnvironment } = settings;
  const { stderr, version } = deps;
  const { openReader, openAnalysers } = deps.code;
  const source = { environment: environment(), dotEnv: readTextIfAny(".env"), readText: readTextIfAny };
  return { settings: source, gitEnvironment, openReader, openAnalysers, version, stderr };
}

/** For a page of the dashboard: no model is asked. */
async function examineWithoutCalls(): Promise<readonly CheckLine[]> {
  const { examine } = await import("./compose/doctor.ts");
  return examine({ mayCall: false, repository: null, signal: AbortSignal.timeout(EXAMINE_MS) }, appSources());
}

/** A person waits for the page. */
const EXAMINE_MS = 20_000;

/** Far larger than any `.env` or secret. */
const MAX_SETTINGS_BYTES = 1024 * 1024;

/** Of a larger file, one byte more than the limit. Files without a size, such as pipes, are read too. */
function readTextIfAny(path: string, maxBytes = MAX_SETTINGS_BYTES): string | null {
  const { closeSync, openSync, readSync } = process.getBuiltinModule("node:fs");
  try {
    const file = openSync(path, "r");
    try {
      const bytes = Buffer.alloc(maxBytes + 1);
      let length = 0;
      for (let read = -1; read !== 0; length += read)
        read = readSync(file, bytes, length, bytes.length - length, null);
      return bytes.toString("utf8", 0, length);
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

process.exitCode = await runCli(process.argv.slice(2), deps);
// A model that was cut off may have left a git process running. Its output isn't needed any more.
interrupts.abort();
await Promise.all(sweeps);
// Output to a pipe may still be pending. Otherwise there's nothing to wait for.
if (process.stdout.writableLength === 0) process.exit();

/** Opening a standard stream takes milliseconds, so it's opened at the first write. */
function lazySink(openStream: () => NodeJS.WriteStream): TextSink {
  let opened: NodeJS.WriteStream | null = null;
  const stream = (): NodeJS.WriteStream => (opened ??= openStream());
  return {
    get isTerminal() {
      return stream().isTTY;
    },
    get columns() {
      return stream().isTTY ? stream().columns : null;
    },
    write: (text) => void stream().write(text),
  };
}

/** The runner obeys commands in what a step prints, and messages may quote a change. */
function withoutCommandsIn(sink: TextSink): TextSink {
  return {
    get isTerminal() {
      return sink.isTerminal;
    },
    get columns() {
      return sink.columns;
    },
    write: (text) => sink.write(withoutCommands(text)),
  };
}

function openStdout(): NodeJS.WriteStream {
  // A closed pipe (`kodiai review | head`) isn't an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? (process.exitCode ?? 0) : 4);
  });
  return process.stdout;
}

async function* lazyInput(path: string): AsyncGenerator<string> {
  const { readInput } = await import("./cli/files.ts");
  yield* readInput(path, interrupts.signal);
}
