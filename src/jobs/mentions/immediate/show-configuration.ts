/** `configuration`: the effective configuration of the repository, with the origin of each value. */
import { grouped } from "../../../base/count.ts";
import type { ExplainedKey } from "../../../config/explain-config.ts";
import type { ConfigProblem } from "../../../config/repo-config/repo-config.ts";
import { item } from "../../../review/publication/render/list-item.ts";
import { collapse, renderEntries } from "../../../review/publication/render/markdown-blocks.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { explainGathered } from "../../gathering/explain-gathered.ts";
import type { ImmediateCommand } from "./immediate-command.ts";
import { replying } from "./refuse.ts";

/** A hostile file can have thousands; the rest is counted. */
const MAX_SET_CHARS = 20_000;
const MAX_DEFAULT_CHARS = 20_000;
const MAX_PROBLEM_CHARS = 8_000;

/** A list of a hundred globs isn't worth a screen. */
const MAX_VALUE_CHARS = 200;

export const showConfiguration: ImmediateCommand<"configuration"> = async (_command, { config }) => {
  const keys = explainGathered(config);
  const set = keys.filter(({ isDefault }) => !isDefault);
  const defaults = keys.filter(({ isDefault }) => isDefault);
  const blocks = [
    `**Configuration:** ${neutraliseInline(config.origin)}`,
    set.length === 0 ? "" : renderEntries(set.map(describeSet), MAX_SET_CHARS),
    config.problems.length === 0
      ? ""
      : `**Problems (${grouped(config.problems.length)}):**\n${renderEntries(config.problems.map(describeProblem), MAX_PROBLEM_CHARS)}`,
    collapse(`Defaults (${grouped(defaults.length)})`, defaults.map(describeDefault), MAX_DEFAULT_CHARS),
  ];
  const body = blocks
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .join("\n\n");
  return replying({ body, reaction: "+1", outcome: "answered:configuration" });
};

function describeSet(key: ExplainedKey): string {
  return `${describeDefault(key)} (${codeSpan(key.origin)})`;
}

function describeDefault({ key, value }: Pick<ExplainedKey, "key" | "value">): string {
  const shown = value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)} …` : value;
  return `- ${codeSpan(key)}: ${codeSpan(shown)}`;
}

function describeProblem({ severity, file, line, message }: ConfigProblem): string {
  const place = line === null ? file : `${file}:${line}`;
  return `- ${severity} in ${codeSpan(place)}: ${item(message)}`;
}
