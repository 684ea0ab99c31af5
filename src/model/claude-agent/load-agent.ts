/**
 * Loads the Claude Agent SDK and finds its native program. Kodiai may not redistribute the package, so it can be missing; then the error
 * names what to install or choose instead.
 */
import { createRequire } from "node:module";
import { KodiaiError } from "../../base/errors.ts";

const PACKAGE = "@anthropic-ai/claude-agent-sdk";

export type Agent = {
  readonly query: (typeof import("@anthropic-ai/claude-agent-sdk"))["query"];
  readonly programPath: string;
};

/** How the SDK is loaded; tests replace it. */
export type AgentSource = {
  readonly importSdk: () => Promise<Pick<Agent, "query">>;
  /** Path of a package file, resolved as the SDK does; throws when it is missing. */
  readonly resolve: (file: string) => string;
};

const INSTALLED: AgentSource = {
  importSdk: () => import("@anthropic-ai/claude-agent-sdk"),
  resolve: (file) => createRequire(import.meta.resolve(PACKAGE)).resolve(file),
};

type WantedModel = { readonly id: string; readonly name: string };

function missing(what: string, { id, name }: WantedModel, cause: unknown): KodiaiError {
  return new KodiaiError("config", `The model ${id} needs ${what}, which isn't installed`, {
    hint: `Run \`npm install ${PACKAGE}\` (without --omit=optional), or use anthropic:${name}, which needs no package.`,
    cause,
  });
}

/** Candidates for the program. npm installs the one for the platform; musl systems have their own. */
function programFiles(): readonly string[] {
  const program = `${PACKAGE}-${process.platform}-${process.arch}`;
  return [`${program}/claude`, `${program}-musl/claude`, `${program}/claude.exe`];
}

function findProgram(resolve: AgentSource["resolve"]): string | null {
  for (const file of programFiles()) {
    try {
      return resolve(file);
    } catch {
      // Not installed: try the next one.
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
