/**
 * The lockfile of Yarn 1. It looks like YAML and isn't: a block opens with its descriptors and a colon, fields are a name, a space and
 * a value, and dependencies are fields one level deeper. The file doesn't record what the project requests.
 */
import type { DependencyFile, FileProblem, Listed } from "../ecosystem.ts";
import { listPackage } from "../formats/list-package.ts";
import { createDescriptorIndex } from "./descriptor-index.ts";
import { originOfAddress } from "./npm-origin.ts";
import { readSpec } from "./npm-spec.ts";
import { withoutRoots } from "./without-roots.ts";

/** One block of the file. */
type Block = {
  readonly descriptors: readonly string[];
  readonly fields: Map<string, string>;
  /** Descriptors: "name@range". */
  readonly needs: string[];
};

export function readYarnOne(text: string): DependencyFile | FileProblem | null {
  const version = /^# yarn lockfile v(\d+)/m.exec(text.slice(0, 500))?.[1] ?? "1";
  if (version !== "1") return "unknown-format-version";
  const blocks = readBlocks(text);
  if (blocks === null) return null;
  const blockOf = new Map<Listed, Block>();
  const index = createDescriptorIndex();
  for (const block of blocks) {
    const entry = listBlock(block);
    if (entry === null) return null;
    blockOf.set(entry, block);
    index.add(entry, block.descriptors);
  }
  const listed = [...blockOf.keys()];
  const needsOf = (entry: Listed): readonly Listed[] =>
    (blockOf.get(entry)?.needs ?? []).flatMap((descriptor) =>
      index.find(splitDescriptor(descriptor)[0], [descriptor]),
    );
  return { listed, requested: null, needsOf: withoutRoots(listed, needsOf) };
}

function listBlock({ descriptors, fields }: Block): Listed | null {
  const version = fields.get("version");
  const resolved = fields.get("resolved");
  const [alias, range] = splitDescriptor(descriptors[0] ?? "");
  if (version === undefined || version === "" || alias === "") return null;
  const { name, origin } = readSpec(alias, range);
  return listPackage(name, {
    version,
    origin: resolved === undefined ? origin : originOfAddress(resolved),
    integrity: integrityOf(fields.get("integrity"), resolved),
    key: `${alias}@${version}`,
  });
}

/** The address ends with the hash that Yarn had before there was a field for it, written in another way. */
function integrityOf(integrity: string | undefined, resolved: string | undefined): string | null {
  const hash = /#([0-9a-f]{40})$/.exec(resolved ?? "")?.[1];
  const hashes = [integrity, hash === undefined ? undefined : `hex:${hash}`].filter(
    (each) => each !== undefined,
  );
  return hashes.length === 0 ? null : hashes.join(" ");
}

/** "@scope/name@^1" without a version is the name alone. */
function splitDescriptor(descriptor: string): readonly [string, string] {
  const at = descriptor.indexOf("@", 1);
  return at === -1 ? [descriptor, ""] : [descriptor.slice(0, at), descriptor.slice(at + 1)];
}

const NEEDS: ReadonlySet<string> = new Set(["dependencies", "optionalDependencies"]);

function readBlocks(text: string): readonly Block[] | null {
  const blocks: Block[] = [];
  let block: Block | null = null;
  let section: string | null = null;
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    const content = line.trimStart();
    if (content === "" || content.startsWith("#")) continue;
    const indent = line.length - content.length;
    if (indent === 0) {
      const descriptors = content.endsWith(":") ? readDescriptors(content.slice(0, -1)) : null;
      if (descriptors === null) return null;
      blocks.push((block = { descriptors, fields: new Map(), needs: [] }));
      section = null;
    } else if (indent === 2 && content.endsWith(":") && !content.includes(" ")) {
      section = content.slice(0, -1);
    } else {
      const field = readField(content);
      if (field === null || block === null) return null;
      const [name, value] = field;
      if (indent === 2 && !block.fields.has(name)) block.fields.set(name, value);
      else if (indent !== 4 || section === null) return null;
      else if (NEEDS.has(section)) block.needs.push(`${name}@${value}`);
    }
  }
  return blocks;
}

function readDescriptors(header: string): readonly string[] | null {
  const descriptors: string[] = [];
  for (let at = 0; at < header.length;) {
    const end = header[at] === '"' ? quoteEnd(header, at) : header.indexOf(",", at);
    const token = readToken(header.slice(at, end === -1 ? header.length : end));
    if (token === null) return null;
    descriptors.push(token);
    if (end === -1 || end === header.length) return descriptors;
    if (!header.startsWith(", ", end)) return null;
    at = end + 2;
  }
  return null;
}

/** "name value", each quoted or not. */
function readField(content: string): readonly [string, string] | null {
  const end = content.startsWith('"') ? quoteEnd(content, 0) : content.indexOf(" ");
  if (end === -1 || content[end] !== " ") return null;
  const name = readToken(content.slice(0, end));
  const value = readToken(content.slice(end + 1));
  return name === null || value === null ? null : [name, value];
}

/** Offset after the closing quote, or -1. */
function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at++;
  }
  return -1;
}

function readToken(text: string): string | null {
  if (!text.startsWith('"')) return text === "" || /[\s",]/.test(text) ? null : text;
  if (quoteEnd(text, 0) !== text.length) return null;
  if (!text.includes("\\")) return text.slice(1, -1);
  try {
    return String(JSON.parse(text));
  } catch {
    return null;
  }
}
