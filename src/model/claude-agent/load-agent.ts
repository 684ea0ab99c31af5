/**
 * Loads the Claude Agent SDK and finds the native program it runs. Both come with a package that is not ours to hand on, so they
 * may be missing; then the error says what to install or to choose instead.
 */
import { createRequire } from "node:module";
import { KodiaiError } from "../../base/errors.ts";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

export type Agent = {
  readonly query: (typeof import("@anthropic-ai/claude-agent-sdk"))["query"];
  readonly programPath: string;
};

/** What loading asks of Node; tests give their own. */
export type AgentSource = {
  readonly importSdk: () => Promise<Pick<Agent, "query">>;
  /** Path of a file of a package, as the SDK would find it; throws when there is none. */
  readonly resolve: (file: string) => string;
};

const INSTALLED: AgentSource = {
  importSdk: () => import("@anthropic-ai/claude-agent-sdk"),
  resolve: (file) => createRequire(import.meta.resolve(PACKAGE)).resolve(file),
};

type WantedModel = { readonly id: string; readonly name: string };

function missing(what: string, { id, name }: WantedModel, cause: unknown): KodiaiError {
  return new KodiaiError("config", `The model ${id} needs ${what}, which is not installed`, {
    hint: `Run \`npm install ${PACKAGE}\` (without --omit=optional), or choose anthropic:${name}, which needs nothing more.`,
    cause,
  });
}

/** Files that may be the program. npm installs the one that fits: systems with musl have their own. */
function programFiles(): readonly string[] {
  const program = `${PACKAGE}-${process.platform}-${process.arch}`;
  return [`${program}/claude`, `${program}-musl/claude`, `${program}/claude.exe`];
}

function findProgram(resolve: AgentSource["resolve"]): string | null {
  for (const file of programFiles()) {
    try {
      return resolve(file);
    } catch {
      // Not installed; perhaps the next one is.
    }
  }
  return null;
}

export async function loadAgent(
  model: WantedModel,
  { importSdk, resolve }: AgentSource = INSTALLED,
): Promise<Agent> {
  const sdk = await importSdk().catch((error: unknown) => {
    throw missing(`the package ${PACKAGE}`, model, error);
  });
  const programPath = findProgram(resolve);
  if (programPath === null)
    throw missing(`the program of ${PACKAGE} for ${process.platform}-${process.arch}`, model, null);
  return { query: sdk.query, programPath };
}
