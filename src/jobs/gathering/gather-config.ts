/**
 * Reads `.kodiai.yml` and `.kodiai/learnings.yml`, above the defaults of the repository's owner. Policy comes from the base of the change, for a pull request from the tip of its base branch,
 * and never from the change itself. On the command line, the user's uncommitted edits and a file given with --config take precedence, because they are the user's own.
 */
import { count } from "../../base/count.ts";
import { hashParts } from "../../base/hash.ts";
import { CONFIG_NAME, CONFIG_READ_BYTES, LEARNINGS_PATH } from "../../config/repo-config/config-file.ts";
import type { ConfigProblem, ConfigTree } from "../../config/repo-config/repo-config.ts";
import { noConfig } from "../../config/repo-config/no-config.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import { policyCommitOf } from "../../review/change/policy-commit.ts";
import type { OrganizationConfig } from "./gather-organization-config.ts";
import type { Learning } from "../../review/context/learning.ts";

/** Most folders that are searched for a nested file. Nested files in further folders are ignored. */
const MAX_FOLDERS = 2_000;

export type GatheredConfig = {
  readonly tree: ConfigTree;
  /** All problems in the files, including unknown rules. */
  readonly problems: readonly ConfigProblem[];
  /** Text to display: ".kodiai.yml of base 1a2b3c4d5e". */
  readonly origin: string;
  /** A file among the origins whose content isn't shown; omitted if there is none. */
  readonly hiddenFile?: string;
  /** The learnings that the team keeps in its repository. */
  readonly learnings: readonly Learning[];
};

/** Identifies the settings for these files, so that the next review of them notices when one changes. */
export function digestOf({ tree }: GatheredConfig, files: Files): string {
  const root = JSON.stringify(tree.root.values);
  const byConfig = Map.groupBy(files, ({ path }) => tree.forPath(path));
  const nested = [...byConfig].flatMap(([{ values }, its]) => {
    const text = JSON.stringify(values);
    if (text === root) return [];
    const digest = hashParts([text]);
    return its.map(({ path }) => `${path}\0${digest}`);
  });
  return hashParts([root, ...nested.toSorted()], 16);
}

type Files = readonly Pick<ChangedFile, "path">[];

/** A file that replaces the repository's root configuration. */
export type GivenConfig = { readonly path: string; readonly bytes: Uint8Array };

export type ConfigSources = {
  readonly repository: Repository | null;
  readonly given: GivenConfig | null;
  /** Null where no host was asked for it. The user's own file replaces it too. */
  readonly organization?: OrganizationConfig | null;
};

/** `earlier` are the files of the last review, which may be in other folders. */
export async function gatherConfig(
  change: Change,
  earlier: Files,
  { repository, given, organization = null }: ConfigSources,
): Promise<GatheredConfig> {
  const paths = foldersOf([...change.files, ...earlier]).map((folder) =>
    folder === "" ? CONFIG_NAME : `${folder}/${CONFIG_NAME}`,
  );
  const policy = policyCommitOf(change);
  // HEAD for a diff, or the change itself when it has no parent.
  const commit = policy ?? change.head ?? "HEAD";
  const read =
    (await repository?.readFiles({ commit }, [...paths, LEARNINGS_PATH], CONFIG_READ_BYTES)) ??
    new Map<string, string>();
  const base = new Map([...read].filter(([path]) => path !== LEARNINGS_PATH));
  // A change without a base would bring its own learnings.
  const ownText = policy === null && change.head !== null ? undefined : read.get(LEARNINGS_PATH);
  const { learnings, problems: learningProblems } = await parseOwn(ownText);
  const edited = repository === null ? null : await readEdited(change, repository, base);
  const files = new Map([...base].map(([path, latin1]) => [path, Buffer.from(latin1, "latin1")]));
  if (edited !== null) files.set(CONFIG_NAME, Buffer.from(edited, "latin1"));
  if (given !== null) files.set(CONFIG_NAME, Buffer.from(given.bytes));
  const own =
    files.size === 0
      ? `defaults (no ${CONFIG_NAME} at the base)`
      : given !== null
        ? given.path
        : edited === null
          ? describeBase(policy)
          : `uncommitted ${CONFIG_NAME}`;
  const config = await parseConfigFiles(files, own, given === null ? organization : null);
  return { ...config, problems: [...config.problems, ...learningProblems], learnings };
}

export type ParsedConfig = Omit<GatheredConfig, "learnings">;

/** `files` by path, and `own` to display for them. Never throws: an invalid file is a problem, and its values are the defaults. */
export async function parseConfigFiles(
  files: ReadonlyMap<string, Uint8Array>,
  own: string,
  organization: OrganizationConfig | null,
): Promise<ParsedConfig> {
  const { name = "", bytes = null, isHidden = false } = organization ?? {};
  const origin =
    organization === null
      ? own
      : bytes === null
        ? `${own}; no organization defaults (none that Kodiai can read at ${name})`
        : `${own}; organization defaults (${name})`;
  const hidden = isHidden ? { hiddenFile: name } : {};
  if (files.size === 0 && bytes === null) return { tree: noConfig(), problems: [], origin, ...hidden };
  // Imported only when needed: YAML and the schema take longer to load than the rest of a small review.
  const [{ parseConfigTree }, { checkRuleIds }, { FLOOR_RULE_IDS }, { ANALYSER_RULE_IDS }] =
    await Promise.all([
      import("../../config/repo-config/parse-config.ts"),
      import("../../config/repo-config/check-rule-ids.ts"),
      import("../../rules/rule-ids.ts"),
      import("../../linters/analyser-rule-ids.ts"),
    ]);
  const tree = parseConfigTree(
    [...files].map(([path, text]) => ({ path, text })),
    bytes === null ? null : { path: name, text: bytes },
  );
  const unknownRules = checkRuleIds(tree, [...FLOOR_RULE_IDS, ...ANALYSER_RULE_IDS]);
  return {
    tree,
    problems: withoutContent([...tree.problems, ...unknownRules], isHidden ? name : null),
    origin,
    ...hidden,
  };
}

/** Messages quote the file, so that those about a hidden one are only counted. */
function withoutContent(
  problems: readonly ConfigProblem[],
  hiddenFile: string | null,
): readonly ConfigProblem[] {
  const hidden = problems.filter(({ file }) => file === hiddenFile);
  if (hiddenFile === null || hidden.length === 0) return problems;
  const counted: ConfigProblem = {
    severity: hidden.some(({ severity }) => severity === "error") ? "error" : "warning",
    file: hiddenFile,
    line: null,
    column: null,
    key: "",
    message: `the file has ${count(hidden.length, "problem")}; its editors can list them with \`kodiai config check\``,
  };
  return [counted, ...problems.filter((problem) => !hidden.includes(problem))];
}

/** The team's own statements, so they count more than those that Kodiai learned. */
const OWN_CONFIDENCE = 0.9;

async function parseOwn(latin1: string | undefined): Promise<Pick<GatheredConfig, "learnings" | "problems">> {
  if (latin1 === undefined) return { learnings: [], problems: [] };
  // Imported only when needed, like the configuration.
  const [{ parseLearnings }, { endOfDay }] = await Promise.all([
    import("../../config/parse-learnings.ts"),
    import("../../config/learnings-file.ts"),
  ]);
  const { learnings, problems } = parseLearnings(Buffer.from(latin1, "latin1"));
  return {
    problems,
    learnings: learnings.map(({ text, kind, paths, provenance, owner, expires }) => ({
      id: null,
      source: "config",
      kind,
      text,
      paths,
      confidence: OWN_CONFIDENCE,
      provenance: provenance ?? LEARNINGS_PATH,
      owner: owner ?? null,
      uses: 0,
      lastUsedAt: null,
      expiresAt: expires === undefined ? null : endOfDay(expires),
    })),
  };
}

function describeBase(commit: string | null): string {
  return commit === null ? CONFIG_NAME : `${CONFIG_NAME} of base ${commit.slice(0, 10)}`;
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

/** Every folder above these files, the root first. */
export function foldersOf(files: Files): readonly string[] {
  const folders = new Set([""]);
  for (const { path } of files) {
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
