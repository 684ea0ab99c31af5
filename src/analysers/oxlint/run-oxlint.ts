/**
 * Runs oxlint in a private folder that contains only the files under neutral names and our configuration. Nothing of the
 * repository is near it: no configuration, no plugin, no ignore file, no path that means anything.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "../../base/task-process/start-process.ts";
import type { Reading } from "../../base/task-process/task-runner.ts";
import type { DiagnosticsByPath, Program, ProgramLimits } from "../analyser.ts";
import type { AnalysedFile, Diagnostic } from "../engine.ts";
import { OXLINT_RULES } from "./rules.ts";

/** About 20,000 diagnostics. A change with more is data. */
const MAX_OUTPUT_CHARS = 8_000_000;

/** The end of the error output of a run that failed. */
const MAX_STDERR_CHARS = 500;

/** Extensions decide how a file is parsed. */
const EXTENSION = /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/;

const CONFIG_NAME = "config.json";

const CONFIG = JSON.stringify({
  plugins: [...new Set(OXLINT_RULES.map(({ plugin }) => plugin))],
  categories: { correctness: "off" },
  rules: Object.fromEntries(
    OXLINT_RULES.map(({ id, plugin, options = [] }) => [
      plugin === "eslint" ? id : `${plugin}/${id}`,
      ["error", ...options],
    ]),
  ),
});

/** Rejects when the package isn't installed. */
export async function loadOxlint(): Promise<Program> {
  const manifest = new URL(import.meta.resolve("oxlint/package.json"));
  // The package's own file: it has a version.
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { readonly version: string };
  const entry = new URL("bin/oxlint", manifest);
  return {
    version,
    async check(files, limits) {
      limits.signal.throwIfAborted();
      const folder = await mkdtemp(join(tmpdir(), "kodiai-oxlint-"));
      try {
        return await checkIn(folder, entry, files, limits);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function checkIn(
  folder: string,
  entry: URL,
  files: readonly AnalysedFile[],
  limits: ProgramLimits,
): Promise<Reading<DiagnosticsByPath>> {
  const named = new Map(files.map((file, index) => [neutralName(file.path, index), file]));
  await writeFile(join(folder, CONFIG_NAME), CONFIG);
  for (const [name, { text }] of named) await writeFile(join(folder, name), text);
  const run = await runIn(folder, entry, limits);
  if (run.kind !== "read") return run;
  try {
    return { kind: "read", value: readOutput(run.value, named) };
  } catch {
    return { kind: "failed", message: "its output isn't readable" };
  }
}

function neutralName(path: string, index: number): string {
  return `${String(index + 1).padStart(4, "0")}${EXTENSION.exec(path.toLowerCase())?.[0] ?? ".js"}`;
}

/** The output of a run in the folder. */
function runIn(folder: string, entry: URL, { maxMs, signal }: ProgramLimits): Promise<Reading<string>> {
  const args = ["-c", CONFIG_NAME, "--disable-nested-config", "--no-ignore", "--format=json", "."];
  const child = startProcess({ entry, args, cwd: folder, isGroup: true });
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    };
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      how();
    };
    const stop = (reading: Reading<string>): void => {
      end();
      settle(() => resolve(reading));
    };
    const onAbort = (): void => {
      end();
      settle(() => reject(signal.reason));
    };
    const timer = setTimeout(() => stop({ kind: "over-limit", limit: "time" }), maxMs);
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => stop({ kind: "failed", message: error.message }));
    // With too many files open, Node returns a child without streams and reports the error later.
    if (!Object.hasOwn(child, "stdio")) return;
    child.stdin.on("error", () => {});
    child.stdin.end();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_CHARS) stop({ kind: "over-limit", limit: "memory" });
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-MAX_STDERR_CHARS);
    });
    // Exit code 1 means that there are diagnostics.
    child.on("close", (code, by) =>
      settle(() =>
        resolve(
          code === 0 || code === 1
            ? { kind: "read", value: output }
            : { kind: "failed", message: errors.trim().split("\n").at(-1) || (by ?? `exit code ${code}`) },
        ),
      ),
    );
  });
}

/** The parts of oxlint's JSON that we read. */
type Output = {
  readonly diagnostics: readonly {
    /** `plugin(rule)`; a syntax error has none. */
    readonly code?: string;
    readonly message: string;
    readonly filename: string;
    readonly labels: readonly {
      /** In bytes; the line is 1-based. */
      readonly span: { readonly offset: number; readonly length: number; readonly line: number };
    }[];
  }[];
};

function readOutput(output: string, named: ReadonlyMap<string, AnalysedFile>): DiagnosticsByPath {
  // Only oxlint writes it. A wrong shape throws here, and the caller reports it.
  const { diagnostics } = JSON.parse(output) as Output;
  const bytes = new Map<string, Buffer>();
  const found = new Map<string, Diagnostic[]>([...named.values()].map(({ path }) => [path, []]));
  for (const { code = "", message, filename, labels } of diagnostics) {
    const rule = /\(([^()]+)\)$/.exec(code)?.[1];
    const file = named.get(filename);
    // The last place is the problem itself; earlier ones say where a name was declared or a key was first used.
    const place = labels.at(-1)?.span;
    if (rule === undefined || file === undefined || place === undefined) continue;
    const text = bytes.get(filename) ?? Buffer.from(file.text);
    bytes.set(filename, text);
    const spanned = text.subarray(place.offset, place.offset + place.length).toString("latin1");
    found.get(file.path)?.push({
      rule,
      line: place.line,
      endLine: place.line + spanned.split("\n").length - 1,
      related: labels.slice(0, -1).map(({ span }) => span.line),
      message,
    });
  }
  return found;
}
