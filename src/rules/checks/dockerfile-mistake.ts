/** Reports mistakes in Dockerfiles that stop the build, or that Docker silently ignores. */
import { isDockerfile } from "../../base/path-kinds.ts";
import { nearest } from "../../base/nearest.ts";
import { type Instruction, readInstructions } from "../lines/dockerfile-instructions.ts";
import { nameOr, type RuleMatch, type TextRule } from "../rule.ts";

const INSTRUCTIONS: readonly string[] =
  "ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME WORKDIR".split(
    " ",
  );

/** A file with these is made into a Dockerfile by a program. */
const TEMPLATE = /\{\{|\{%|<%|^\s*#\s*include\b|^\s*(?:INCLUDE|@)/m;

export const dockerfileMistake: TextRule = {
  kind: "text",
  id: "dockerfile-mistake",
  title: "Dockerfile mistake: the build stops, or a line has no effect",
  severity: "medium",
  category: "correctness",
  why: "Docker stops at such a line, or ignores a part of it.",
  fix: "Correct the instruction, and build the image once.",
  isFor: ({ path }) => isDockerfile(path),
  *check({ lines }, { after }) {
    const instructions = TEMPLATE.test(after) ? null : readInstructions(lines ?? after.split("\n"));
    if (instructions === null || !instructions.some(({ name }) => name === "FROM")) return;
    for (const instruction of instructions) {
      yield* unknownInstruction(instruction);
      yield* brokenList(instruction);
      yield* swallowed(instruction);
      if (instruction.name === "RUN") yield* commandsOf(instruction);
    }
    yield* stagesOf(instructions);
  },
};

function* unknownInstruction({ name, line, parts }: Instruction): Generator<RuleMatch> {
  if (INSTRUCTIONS.includes(name)) return;
  const word = /^\S{1,40}/.exec(parts[0]?.text ?? "")?.[0] ?? "";
  const meant = name === "" ? null : nearest(name, INSTRUCTIONS);
  const hint =
    meant === null ? "A line above it may lack its `\\`." : `It is probably meant to be \`${meant}\`.`;
  yield {
    line,
    title: `Unknown instruction: ${nameOr(word, "this line")} isn't one of Docker's`,
    detail: hint,
  };
}

/** A list that isn't JSON is taken for a command of the shell. */
function* brokenList({ name, text, line }: Instruction): Generator<RuleMatch> {
  if (!/^(?:CMD|ENTRYPOINT|SHELL)$/.test(name) || !/^\[\s*["'\u201c]/.test(text)) return;
  try {
    JSON.parse(text);
  } catch {
    yield {
      line,
      title: `Broken list: \`${name}\` needs JSON, with double quotes and commas`,
      detail: "Docker takes it for a command of the shell, which doesn't exist.",
    };
  }
}

/** After a `\` the next line belongs to the instruction. */
function* swallowed({ name, parts }: Instruction): Generator<RuleMatch> {
  if (name === "ONBUILD") return;
  for (const [index, { text, line }] of parts.entries()) {
    const [, word = ""] = /^([A-Z]+)\s+\S/.exec(text) ?? [];
    const before = parts[index - 1];
    if (before === undefined || !INSTRUCTIONS.includes(word) || (name === "HEALTHCHECK" && word === "CMD"))
      continue;
    yield {
      line: before.line,
      endLine: line,
      also: [line],
      title: `Swallowed instruction: \`${word}\` belongs to the line above, which ends with a backslash`,
      detail: "Remove the backslash above it.",
    };
  }
}

/** Commands that start a line only at the beginning of a command. */
const STARTS_COMMAND =
  /^(?:(?:apt-get|apk|yum|dnf)\s+(?:update|install|add|clean|upgrade|remove|purge)\b|(?:pip3?|npm|yarn|gem|cargo)\s+(?:install|ci|add)\b|rm\s+-rf?\s|mkdir\s+-p\s)/;
/** After a line with one of these ends, the next one can start a command, or be an argument on purpose. */
const GOES_ON =
  /(?:&&|\|\|?|;|[({]|\b(?:then|do|else|sudo|exec|time|env|xargs|if|while|until|nice|timeout\s+\S+)|\s-c|!|=\S*|--\S+)$/;

function* commandsOf({ parts }: Instruction): Generator<RuleMatch> {
  const text = parts
    .map((part) => part.text)
    .join(" ")
    .replace(/^RUN\s+/i, "");
  if (text.startsWith("[")) return;
  for (const [index, { text: part, line }] of parts.entries()) {
    const before = parts[index - 1]?.text ?? "";
    if (index === 0 || !STARTS_COMMAND.test(part) || GOES_ON.test(before) || hasOpenQuote(parts, index))
      continue;
    if (/^RUN(?:\s+--\S+)*$/i.test(before)) continue;
    yield {
      line,
      also: [parts[index - 1]?.line ?? line],
      title: "Missing `&&`: this command is an argument of the one above",
      detail: "The line above ends with a backslash only, so both lines are one command.",
    };
  }
}

function hasOpenQuote(parts: Instruction["parts"], until: number): boolean {
  const text = parts
    .slice(0, until)
    .map((part) => part.text)
    .join(" ");
  return (
    text
      .replaceAll(/\\./g, "")
      .replaceAll(/"[^"]*"|'[^']*'/g, "")
      .match(/["']/) !== null
  );
}

type Stage = { readonly name: string; readonly line: number };

function* stagesOf(instructions: readonly Instruction[]): Generator<RuleMatch> {
  const stages: Stage[] = [];
  const all = instructions.flatMap(({ name, text, line }) =>
    name === "FROM" ? [{ name: aliasOf(text), line }] : [],
  );
  let command: Instruction | null = null;
  let entry: Instruction | null = null;
  for (const instruction of instructions) {
    const { name, text, line } = instruction;
    if (name === "FROM") {
      stages.push({ name: aliasOf(text), line });
      [command, entry] = [null, null];
    }
    if (name === "COPY") yield* missingStage(text, line, { stages, all });
    if (name === "CMD") command = instruction;
    if (name === "ENTRYPOINT") entry = instruction;
    if (command === null || entry === null || (name !== "CMD" && name !== "ENTRYPOINT")) continue;
    if (!isShellForm(entry.text)) continue;
    yield {
      line: entry.line,
      also: [command.line],
      title: "Ignored `CMD`: an `ENTRYPOINT` in shell form gets no arguments",
      detail: `\`CMD\` on line ${command.line} has no effect. Write \`ENTRYPOINT\` as a JSON list.`,
    };
  }
}

function isShellForm(text: string): boolean {
  return text !== "" && !text.startsWith("[") && !/\$(?:@|\*|\{@)/.test(text);
}

function aliasOf(text: string): string {
  return (/\sAS\s+(\S+)\s*$/i.exec(` ${text}`)?.[1] ?? "").toLowerCase();
}

function* missingStage(
  text: string,
  line: number,
  { stages, all }: { readonly stages: readonly Stage[]; readonly all: readonly Stage[] },
): Generator<RuleMatch> {
  const from = /(?:^|\s)--from=([\w.-]{1,100})(?=\s)/.exec(text)?.[1]?.toLowerCase();
  if (from === undefined || stages.slice(0, -1).some(({ name }) => name === from)) return;
  if (/^\d+$/.test(from)) {
    if (Number(from) >= stages.length - 1)
      yield {
        line,
        title: `Missing stage: \`--from=${from}\` isn't an earlier stage`,
        detail: "Stages count from 0.",
      };
    return;
  }
  const own = all.find(({ name }) => name === from);
  if (own !== undefined) {
    yield {
      line,
      title: `Missing stage: ${nameOr(from, "it")} isn't an earlier stage`,
      detail: `It starts on line ${own.line}.`,
    };
    return;
  }
  // A name that isn't a stage is an image.
  const meant = nearest(
    from,
    stages.flatMap(({ name }) => (name === "" ? [] : [name])),
  );
  if (meant !== null && from.length >= MIN_MISSPELT)
    yield {
      line,
      title: `Missing stage: ${nameOr(from, "it")} is probably meant to be ${nameOr(meant, "another one")}`,
    };
}

/** Short names are alike by chance. */
const MIN_MISSPELT = 4;
