/** Requirements and constraints files of pip and pip-tools. Included files (`-r`) are files of their own and aren't followed. */
import { linesIn } from "../../base/documents/line-index.ts";
import type { FileFormat, Listed, Origin } from "../ecosystem.ts";
import { decodeLeniently } from "../../base/decode-leniently.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parsePythonRequirement, parseUrl, type PythonRequirement } from "./parse-requirement.ts";
import { isDevName } from "./python-group.ts";
import { registryAt } from "../formats/registry-origin.ts";

type LogicalLine = { readonly text: string; readonly line: number };

/** By name, or in a folder of such files. */
const FILE =
  /(?:^|[-_./])(?:requirements|constraints)(?:[-_.][^/]*)?\.(?:txt|in|pip)$|(?:^|\/)(?:requirements|constraints)\/(?:[^/]+\/)?[^/]+\.(?:txt|in)$/i;
const INDEX = /^(?:-i|--index-url|--extra-index-url|--pypi-url)(?:\s+|=)(\S+)/;
const EDITABLE = /^(?:-e|--editable)(?:\s+|=)(.+)$/;
const HASH = /\s--hash[= ]\s*(\S+)/g;
const EGG = /#(?:[^&]*&)*egg=([^&[\s]+)/;
const WHEEL = /(?:^|\/)([A-Za-z0-9._]+)-([^-/]+)-[^/]+\.whl$/;

export const REQUIREMENTS_FILE: FileFormat = {
  name: "requirements.txt",
  kind: "manifest",
  path: FILE,
  read: readWhole(readRequirements),
};

function readRequirements(text: string, path: string): ReturnType<typeof fileOf> | null {
  const lines = logicalLines(text);
  const index = indexOf(lines);
  const group = isDevName(path.split("/").slice(-2).join("/")) ? "dev" : "runtime";
  const listed: Listed[] = [];
  let unreadable = 0;
  for (const { text: content, line } of lines) {
    const editable = EDITABLE.exec(content)?.[1];
    if (editable === undefined && content.startsWith("-")) continue;
    const found = readLine(editable ?? content);
    if (found === "unnamed") continue;
    if (found === null) {
      unreadable += 1;
      continue;
    }
    const hashes = [...content.matchAll(HASH)].map((match) => match[1]);
    listed.push(
      listPackage(found.name, {
        ...found,
        group,
        origin: found.origin.kind === "registry" ? index : found.origin,
        integrity: hashes.length > 0 ? hashes.join(" ") : found.integrity,
        line,
      }),
    );
  }
  // A text that is about other requirements.
  if (listed.length === 0 && unreadable > 0) return null;
  return fileOf(listed);
}

/** Lines without comments, with those joined that end in a backslash. */
function logicalLines(text: string): readonly LogicalLine[] {
  const lines: LogicalLine[] = [];
  let parts: string[] = [];
  let start = 1;
  for (const [at, raw] of linesIn(text).entries()) {
    if (parts.length === 0) start = at + 1;
    const isComment = /^\s*#/.test(raw);
    const isContinued = !isComment && /\\\r?$/.test(raw);
    if (!isComment) parts.push(isContinued ? raw.replace(/\\\r?$/, "") : raw);
    if (isContinued) continue;
    addLine();
  }
  addLine();
  return lines;

  function addLine(): void {
    const content = parts
      .join(" ")
      .replace(/(?:^|\s)#.*$/s, "")
      .trim();
    if (content !== "") lines.push({ text: content, line: start });
    parts = [];
  }
}

/** A package may come from any index. An additional index is most likely the one that isn't public, so it's the one named. */
function indexOf(lines: readonly LogicalLine[]): Origin {
  const urls = lines.flatMap(({ text }) => INDEX.exec(text)?.[1] ?? []);
  const extra = lines.findLast(({ text }) => text.startsWith("--extra-index-url"));
  const url = (extra === undefined ? undefined : INDEX.exec(extra.text)?.[1]) ?? urls.at(-1);
  return registryAt(url);
}

/** "unnamed" for a folder or URL that doesn't say which package it is. */
function readLine(content: string): PythonRequirement | "unnamed" | null {
  const text = content.replace(/\s--(?:hash|global-option|config-settings?|install-option)\b.*$/s, "").trim();
  const isAddress = /^[a-z+]+:|^\.|^\/|^git@/i.test(text) || /^[^\s@;]+\.(?:whl|zip|tar\.gz)$/.test(text);
  if (!isAddress) return parsePythonRequirement(text);
  const address = text.split(/\s/, 1)[0] ?? "";
  const wheel = WHEEL.exec(address.split("#", 1)[0] ?? "");
  const name = EGG.exec(address)?.[1] ?? wheel?.[1];
  const named = name === undefined ? null : parsePythonRequirement(decodeLeniently(name));
  if (named === null) return "unnamed";
  return { ...named, ...parseUrl(address), version: wheel?.[2] ?? named.version };
}
