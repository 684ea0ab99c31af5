/** Workflows and actions of GitHub Actions: what their `uses:` lines name. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { parseImage } from "../docker/parse-image.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { saidVersionOf } from "../formats/said-version.ts";
import { readFlowMapping, readYamlLines, type YamlLine } from "../formats/yaml-lines.ts";

/** owner/repository, an optional path inside it, and the reference. */
const USES = /^([\w.-]+\/[\w.-]+)(\/[^@]*)?@(\S+)$/;

export const workflow: FileFormat = {
  name: "GitHub Actions workflow",
  kind: "manifest",
  path: /(?:^|\/)(?:\.(?:github|gitea|forgejo)\/workflows\/[^/]+|action)\.ya?ml$/,
  read: readWhole((text) => {
    const lines = readYamlLines(text);
    if (lines.length > 0 && !lines.some(({ key }) => key !== null)) return null;
    return fileOf(lines.flatMap(readLine));
  }),
};

function readLine(line: YamlLine): readonly Listed[] {
  const uses = line.key === "uses" ? line.value : readFlowMapping(line.value).get("uses");
  if (uses !== undefined) {
    const listed = readUses(uses, line);
    return listed === null ? [] : [listed];
  }
  return line.key === "image" && line.value.startsWith("docker://") ? imageOf(line.value, line) : [];
}

function readUses(uses: string, line: YamlLine): Listed | null {
  if (uses.startsWith("docker://")) return imageOf(uses, line)[0] ?? null;
  const [, name, path = "", ref] = USES.exec(uses) ?? [];
  if (name === undefined || ref === undefined || name.startsWith("./") || name.startsWith("../")) return null;
  return listPackage(name, {
    version: ref,
    group: "build",
    origin: { kind: "git", url: `https://github.com/${name}`, ref },
    line: line.line,
    key: path,
    ...saidVersionOf(ref, line.comment),
  });
}

function imageOf(uses: string, { line }: YamlLine): readonly Listed[] {
  const image = parseImage(uses.slice("docker://".length), line);
  return image === null ? [] : [{ ...image, name: `docker://${image.name}`, group: "build" }];
}
