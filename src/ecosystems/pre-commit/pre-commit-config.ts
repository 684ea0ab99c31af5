/** .pre-commit-config.yaml: the repositories of hooks and their revisions. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { saidVersionOf } from "../formats/said-version.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { readFlowMapping, readYamlLines, type YamlLine } from "../formats/yaml-lines.ts";

export const preCommitConfig: FileFormat = {
  name: ".pre-commit-config.yaml",
  kind: "manifest",
  path: /(?:^|\/)\.pre-commit-config\.ya?ml$/,
  read: readWhole((text) => {
    const lines = readYamlLines(text);
    // The oldest files are a list without a `repos` key.
    const isKnown = lines.length === 0 || lines.some(({ key }) => key === "repos" || key === "repo");
    return isKnown ? fileOf(readRepositories(lines)) : null;
  }),
};

type Pinned = { repo: string | null; rev: YamlLine | null };

function readRepositories(lines: readonly YamlLine[]): readonly Listed[] {
  const listed: Listed[] = [];
  let current: Pinned = { repo: null, rev: null };
  /** Column of the dashes of repositories; deeper items are hooks. */
  let column: number | null = null;
  const finish = (): void => {
    if (current.repo !== null && current.rev !== null)
      listed.push(...listRepository(current.repo, current.rev));
    current = { repo: null, rev: null };
  };
  for (const line of lines) {
    const isRepository =
      line.dash !== null && (line.key === "repo" || line.key === "rev" || line.key === "hooks");
    if (isRepository && (column === null || line.dash === column)) {
      finish();
      column = line.dash;
    }
    const flow = readFlowMapping(line.value);
    const repo = line.key === "repo" ? line.value : flow.get("repo");
    const rev = line.key === "rev" || line.key === "sha" ? line.value : flow.get("rev");
    if (repo !== undefined) current.repo = repo;
    if (rev !== undefined) current.rev = { ...line, value: rev };
  }
  finish();
  return listed;
}

function listRepository(repo: string, rev: YamlLine): readonly Listed[] {
  if (repo === "local" || repo === "meta" || rev.value === "") return [];
  const url = withoutCredentials(repo)
    .replace(/\/$/, "")
    .replace(/\.git$/, "");
  return [
    listPackage(url, {
      version: rev.value,
      group: "dev",
      origin: { kind: "git", url, ref: rev.value },
      line: rev.line,
      ...saidVersionOf(rev.value, rev.comment),
    }),
  ];
}
