/** go.mod and go.work. Versions keep their `v`. A replaced module has the origin of its replacement. */
import { linesIn } from "../../base/documents/line-index.ts";
import type { DependencyFile, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";

export const GO_MOD: FileFormat = {
  name: "go.mod",
  kind: "manifest",
  path: /(?:^|\/)go\.mod$/,
  read: readWhole(readGoMod),
};

/** Its modules have their own go.mod; this file can replace what they need. */
export const GO_WORK: FileFormat = {
  name: "go.work",
  kind: "manifest",
  path: /(?:^|\/)go\.work$/,
  read: readWhole(readGoWork),
};

type Directive = {
  readonly verb: string;
  readonly words: readonly string[];
  readonly comment: string;
  readonly line: number;
};

type Replacement = {
  readonly name: string;
  /** Null: every version. */
  readonly version: string | null;
  readonly to: string;
  /** Null for a folder. */
  readonly toVersion: string | null;
  readonly line: number;
};

function readGoMod(text: string): DependencyFile | null {
  const directives = readDirectives(text);
  if (directives === null || !directives.some(({ verb }) => verb === "module")) return null;
  const replacements = readReplacements(directives);
  const byModule = indexReplacements(replacements);
  const listed: Listed[] = [];
  for (const { verb, words, comment, line } of directives) {
    if (verb !== "require") continue;
    const [name, version] = words;
    if (name === undefined || version === undefined) return null;
    const replacement = byModule.get(`${name} ${version}`) ?? byModule.get(name);
    const facts = replacement === undefined ? {} : factsOf(replacement);
    // The go command writes the comment exactly like this, alone or before another one.
    const isIndirect = /^indirect(?:;|$)/.test(comment);
    const entry = listPackage(name, { version, requirement: version, line, ...facts });
    listed.push(isIndirect ? { ...entry, isIndirect } : entry);
  }
  const direct = listed.filter(({ isIndirect }) => isIndirect !== true);
  const names = new Set(listed.map(({ name }) => name));
  for (const replacement of replacements)
    if (!names.has(replacement.name)) listed.push(listReplacement(replacement));
  return {
    listed: [...listed, ...readToolchain(directives)],
    requested: null,
    needsOf: (entry) => (entry === null ? direct : []),
    ...(selectsAll(directives) ? { isComplete: true } : {}),
  };
}

function readGoWork(text: string): DependencyFile | null {
  const directives = readDirectives(text);
  if (directives === null || !directives.some(({ verb }) => verb === "go" || verb === "use")) return null;
  return fileOf([...readReplacements(directives).map(listReplacement), ...readToolchain(directives)]);
}

/** Null when a block has no end. */
function readDirectives(text: string): readonly Directive[] | null {
  const directives: Directive[] = [];
  let block: string | null = null;
  for (const [at, raw] of linesIn(text).entries()) {
    const slashes = raw.indexOf("//");
    // A URL has no place in these files, so two slashes always start a comment.
    const content = (slashes === -1 ? raw : raw.slice(0, slashes)).trim();
    if (content === "") continue;
    const comment = slashes === -1 ? "" : raw.slice(slashes + 2).trim();
    if (content === ")") {
      block = null;
      continue;
    }
    const words = content.split(/\s+/).map(withoutQuotes);
    const verb: string = block ?? words.shift() ?? "";
    if (block === null && words.length === 1 && words[0] === "(") block = verb;
    else directives.push({ verb, words, comment, line: at + 1 });
  }
  return block === null ? directives : null;
}

function withoutQuotes(word: string): string {
  return /^(["`])(.*)\1$/.exec(word)?.[2] ?? word;
}

function readReplacements(directives: readonly Directive[]): readonly Replacement[] {
  return directives.flatMap(({ verb, words, line }): readonly Replacement[] => {
    const arrow = words.indexOf("=>");
    const [name, version] = words.slice(0, Math.max(0, arrow));
    const [to, toVersion] = words.slice(arrow + 1);
    if (verb !== "replace" || arrow === -1 || name === undefined || to === undefined) return [];
    return [{ name, version: version ?? null, to, toVersion: toVersion ?? null, line }];
  });
}

/** By `name version` or `name`. */
function indexReplacements(replacements: readonly Replacement[]): ReadonlyMap<string, Replacement> {
  return new Map(
    replacements.map((replacement) => {
      const { name, version } = replacement;
      return [version === null ? name : `${name} ${version}`, replacement];
    }),
  );
}

/** Of a module that the file doesn't require, but a module that it requires may need. */
function listReplacement(replacement: Replacement): Listed {
  return listPackage(replacement.name, { ...factsOf(replacement), key: "replace" });
}

function factsOf({ name, to, toVersion, line }: Replacement): Partial<Listed> {
  if (toVersion === null) return { origin: { kind: "local", path: to }, line };
  // Another version of the same module is only a pin.
  if (to === name) return { version: toVersion, line };
  const origin: Origin = { kind: "git", url: to, ref: toVersion };
  return { origin, line };
}

/** The language version and the toolchain, which come from the Go project. */
function readToolchain(directives: readonly Directive[]): readonly Listed[] {
  return directives.flatMap(({ verb, words, line }) => {
    const version = words[0];
    if (version === undefined) return [];
    if (verb === "go") return [listPackage("go", { requirement: version, line })];
    return verb === "toolchain"
      ? [listPackage("toolchain", { version: version.replace(/^go/, ""), line })]
      : [];
  });
}

/** Since Go 1.17, go.mod has every module that the packages of this one need. */
function selectsAll(directives: readonly Directive[]): boolean {
  const version = directives.find(({ verb }) => verb === "go")?.words[0] ?? "";
  const [major, minor] = version.split(".").map(Number);
  return (major ?? 0) > 1 || (major === 1 && (minor ?? 0) >= 17);
}
