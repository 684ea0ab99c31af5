/** Dockerfiles: the images that stages start from or copy from. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, readWhole } from "../formats/list-package.ts";
import { parseImage } from "./parse-image.ts";
import { substituteVariables } from "./substitute-variables.ts";

/** `Dockerfile.md` describes a Dockerfile, and `dockerfile.go` reads one. */
const FILE =
  /(?:(?:^|\/)(?:dockerfile|containerfile)(?:[.-][^/]+)?|[^/]\.(?:dockerfile|containerfile))(?<!\.(?:md|mdx|rst|txt|adoc|html?|go|[cm]?[jt]sx?|py|rb|rs|java|kt|swift|scala|php|cs|cpp|cc|c|h|exs?|lua|dart|json|ya?ml|toml|xml|lock|sh|ps1|dockerignore))$/i;
const INSTRUCTION = /^\s*([a-z]+)\s+/i;
/** `<<EOF`, `<<-"EOF"` */
const HEREDOC = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/g;
const MOUNT_SOURCE = /--mount=\S*?\bfrom=([^,\s]+)/g;

export const dockerfile: FileFormat = {
  name: "Dockerfile",
  kind: "manifest",
  path: FILE,
  read: readWhole((text) => {
    const instructions = readInstructions(text);
    const isDockerfile = instructions.length === 0 || instructions.some(({ name }) => name === "FROM");
    return isDockerfile ? fileOf([...readSyntax(text), ...readImages(instructions)]) : null;
  }),
};

type Instruction = { readonly name: string; readonly rest: string; readonly line: number };

/** Joins continued lines; skips comments and the bodies of here-documents. */
function readInstructions(text: string): readonly Instruction[] {
  const escape = /^(?:#[^\n]*\n)*?#\s*escape\s*=\s*`/i.test(text.slice(0, 2000)) ? "`" : "\\";
  const instructions: Instruction[] = [];
  const ends: string[] = [];
  let parts: string[] = [];
  let start = 0;
  for (const [at, raw] of text.split("\n").entries()) {
    const line = raw.trim();
    if (ends.length > 0) {
      if (line === ends[0]) ends.shift();
      continue;
    }
    if (line === "" || line.startsWith("#")) continue;
    if (parts.length === 0) start = at + 1;
    const isContinued = line.endsWith(escape);
    parts.push(isContinued ? line.slice(0, -1) : line);
    if (isContinued) continue;
    const whole = parts.join(" ");
    parts = [];
    const [matched, name] = INSTRUCTION.exec(whole) ?? [];
    if (matched === undefined || name === undefined) continue;
    instructions.push({ name: name.toUpperCase(), rest: whole.slice(matched.length), line: start });
    if (/^(?:RUN|COPY|ADD)$/i.test(name))
      ends.push(...[...whole.matchAll(HEREDOC)].map((each) => each[2] ?? ""));
  }
  return instructions;
}

/** The image that reads the rest of the file: `# syntax=docker/dockerfile:1.7`. */
function readSyntax(text: string): readonly Listed[] {
  const first = text.slice(0, 1000).split("\n", 1)[0] ?? "";
  const [, reference] = /^\uFEFF?#\s*syntax\s*=\s*(\S+)/i.exec(first) ?? [];
  const image = reference === undefined ? null : parseImage(reference, 1);
  return image === null ? [] : [{ ...image, group: "build", key: "syntax" }];
}

type Argument = { readonly value: string; readonly line: number };

function readImages(instructions: readonly Instruction[]): readonly Listed[] {
  const listed: Listed[] = [];
  const stages = new Set<string>();
  /** Defaults before the first FROM. Later ones can't be used in a FROM. */
  const globals = new Map<string, Argument>();
  let isBeforeStages = true;
  const add = (reference: string, line: number, key: string): void => {
    const isStage = stages.has(reference.toLowerCase()) || /^\d+$/.test(reference);
    if (isStage || reference === "scratch" || reference === "") return;
    const image = readReference(reference, line, globals);
    if (image !== null && image.name !== "scratch") listed.push({ ...image, key });
  };
  for (const { name, rest, line } of instructions) {
    if (name === "ARG" && isBeforeStages) {
      for (const [key, value] of argumentsOf(rest)) globals.set(key, { value, line });
    } else if (name === "FROM") {
      isBeforeStages = false;
      const words = rest.split(/\s+/).filter((word) => word !== "" && !word.startsWith("--"));
      const stage = words[1]?.toLowerCase() === "as" ? words[2] : undefined;
      add(words[0] ?? "", line, "");
      if (stage !== undefined) stages.add(stage.toLowerCase());
    } else if (name === "COPY" || name === "ADD") {
      const source = /(?:^|\s)--from=(\S+)/.exec(rest)?.[1];
      if (source !== undefined) add(source, line, "copy");
    } else if (name === "RUN") {
      for (const [, source = ""] of rest.matchAll(MOUNT_SOURCE)) add(source, line, "mount");
    }
  }
  return listed;
}

function argumentsOf(rest: string): readonly (readonly [string, string])[] {
  return [...rest.matchAll(/(?:^|\s)(\w+)=("[^"]*"|'[^']*'|\S*)/g)].map(([, key = "", value = ""]) => [
    key,
    unquoted(value),
  ]);
}

/**
 * When the version comes from an argument, the line is where that is written, because a bump changes it there. An image whose name
 * remains unknown isn't listed.
 */
function readReference(
  reference: string,
  line: number,
  globals: ReadonlyMap<string, Argument>,
): Listed | null {
  const used: Argument[] = [];
  const resolved = substituteVariables(unquoted(reference), (name) => {
    const argument = globals.get(name);
    if (argument !== undefined) used.push(argument);
    return argument?.value;
  });
  const image = parseImage(resolved, line);
  const selected = `${image?.version ?? ""} ${image?.integrity ?? ""}`;
  const source = used.findLast(({ value }) => selected.includes(value) || value.includes(":"));
  return image === null || source === undefined ? image : { ...image, line: source.line };
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2");
}
