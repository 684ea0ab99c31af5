/**
 * Reads `.kodiai.yml`. Policy comes from the base of the change, never from the change itself. On the command line, the
 * user's uncommitted edits and a file given with --config take precedence, because they are the user's own.
 */
import { hashParts } from "../../base/hash.ts";
import { CONFIG_NAME, CONFIG_READ_BYTES } from "../../config/repo-config/config-file.ts";
import type { ConfigProblem, ConfigTree } from "../../config/repo-config/repo-config.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";

/** Most folders that are searched for a nested file. Nested files in further folders are ignored. */
const MAX_FOLDERS = 2_000;

export type GatheredConfig = {
  readonly tree: ConfigTree;
  /** All problems in the files, including unknown rules. */
  readonly problems: readonly ConfigProblem[];
  /** Text to display: ".kodiai.yml of base 1a2b3c4d5e". */
  readonly origin: string;
};

/** Identifies the settings of a review, so that the next one notices when they change. */
export function digestOf({ tree }: GatheredConfig): string {
  return hashParts([JSON.stringify(tree.root.values)], 16);
}

/** A file that replaces the repository's root configuration. */
export type GivenConfig = { readonly path: string; readonly bytes: Uint8Array };

export async function gatherConfig(
  change: Change,
  repository: Repository | null,
  given: GivenConfig | null,
): Promise<GatheredConfig> {
  const base = repository === null ? new Map<string, string>() : await readConfigs(change, repository);
  const edited = repository === null ? null : await readEdited(change, repository, base);
  const files = new Map([...base].map(([path, latin1]) => [path, Buffer.from(latin1, "latin1")]));
  if (edited !== null) files.set(CONFIG_NAME, Buffer.from(edited, "latin1"));
  if (given !== null) files.set(CONFIG_NAME, Buffer.from(given.bytes));
  if (files.size === 0) {
    return { tree: noConfig(), problems: [], origin: `defaults (no ${CONFIG_NAME} at the base)` };
  }
  // Imported only when needed: YAML and the schema take longer to load than the rest of a small review.
  const [{ parseConfigTree }, { checkRuleIds }, { ALL_RULES }, { analyserRuleIds }] = await Promise.all([
    import("../../config/repo-config/parse-config.ts"),
    import("../../config/repo-config/check-rule-ids.ts"),
    import("../../review/floor/rules/all-rules.ts"),
    import("../../analysers/analyser-rule-ids.ts"),
  ]);
  const tree = parseConfigTree([...files].map(([path, text]) => ({ path, text })));
  const unknownRules = checkRuleIds(tree, [...ALL_RULES.map(({ id }) => id), ...(await analyserRuleIds())]);
  return {
    tree,
    problems: [...tree.problems, ...unknownRules],
    origin:
      given !== null ? given.path : edited === null ? describeBase(change) : `uncommitted ${CONFIG_NAME}`,
  };
}

function describeBase(change: Change): string {
  return change.base === null ? CONFIG_NAME : `${CONFIG_NAME} of base ${change.base.slice(0, 10)}`;
}

/** The commit that policy is read from: the base, HEAD for a diff, or the change itself when it has no parent. */
function policyCommit(change: Change): string {
  return change.base ?? change.head ?? "HEAD";
}

async function readConfigs(change: Change, repository: Repository): Promise<ReadonlyMap<string, string>> {
  const paths = foldersOf(change).map((folder) => (folder === "" ? CONFIG_NAME : `${folder}/${CONFIG_NAME}`));
  return repository.readFiles({ commit: policyCommit(change) }, paths, CONFIG_READ_BYTES);
}

/** The user's uncommitted version of the root file; null when it matches the commit. */
async function readEdited(
  change: Change,
  repository: Repository,
  base: ReadonlyMap<string, string>,
): Promise<string | null> {
  if (change.kind !== "working-tree" && change.kind !== "staged") return null;
  const revision: Revision = change.kind === "staged" ? "index" : "working-tree";
  const now = (await repository.readFiles(revision, [CONFIG_NAME], CONFIG_READ_BYTES)).get(CONFIG_NAME);
  if (now === undefined || now === base.get(CONFIG_NAME)) return null;
  const committed = await repository.readFiles({ commit: "HEAD" }, [CONFIG_NAME], CONFIG_READ_BYTES);
  return now === committed.get(CONFIG_NAME) ? null : now;
}

/** Every folder above a changed file, the root first. */
export function foldersOf(change: Change): readonly string[] {
  const folders = new Set([""]);
  for (const { path } of change.files) {
    for (
      let end = path.indexOf("/");
      end !== -1 && folders.size < MAX_FOLDERS;
      end = path.indexOf("/", end + 1)
    ) {
      folders.add(path.slice(0, end));
    }
  }
  return [...folders];
}
