/** The files of a deep review's answer. The texts are safe to print: control characters and hidden ones are escaped. */
import { count, grouped } from "../../base/count.ts";
import { printable } from "../../base/printable.ts";
import type { AnswerStyle } from "../../config/answer-style.ts";
import { describeStopReason } from "../../review/publication/compose/describe-stop-reason.ts";
import { stringifySafe } from "../../review/publication/render/safe-json.ts";
import { describeCost } from "../../review/publication/words.ts";
import type { CitationCounts } from "./mark-citations.ts";
import { type AnswerState, type DeepAnswer, stateOf } from "./deep-answer.ts";

export type AnswerFacts = {
  readonly question: string;
  readonly style: AnswerStyle;
  /** Of Kodiai. */
  readonly version: string;
  readonly pack: AnsweredPack;
  /** Null for a pack from a file: it isn't known which lines it has. */
  readonly citations: CitationCounts | null;
};

/** The pack that the model got. Commits and tokens are null where they are unknown: for a pack from a file, or uncommitted work. */
export type AnsweredPack = {
  readonly base: string | null;
  readonly head: string | null;
  readonly tokens: number | null;
  readonly chars: number;
};

/** Line by line, because a line feed is the only control character that belongs there. */
export function printableLines(text: string): string {
  return text.replaceAll("\r\n", "\n").split("\n").map(printable).join("\n");
}

/** By file name. A file without content is left out. */
export function composeAnswerFiles(answer: DeepAnswer, facts: AnswerFacts): ReadonlyMap<string, string> {
  const text = answerText(answer);
  const thinking = printableLines(answer.thinking).trim();
  return new Map(
    [
      ["answer.md", text],
      ["thinking.md", thinking === "" ? "" : `${thinking}\n`],
      ["report.md", renderReport(answer, facts, text)],
      ["metadata.json", stringifySafe(metadataOf(answer, facts))],
    ].flatMap(([name = "", content = ""]) => (content === "" ? [] : [[name, content] as const])),
  );
}

/** With a mark if it isn't complete; "" if nothing had arrived. */
function answerText(answer: DeepAnswer): string {
  const text = printableLines(answer.text).trim();
  if (text === "") return "";
  const mark = markOf(answer);
  return mark === null ? `${text}\n` : `> ${mark}\n\n${text}\n`;
}

const MARKS: Readonly<Record<AnswerState, string | null>> = {
  complete: null,
  truncated: "Truncated",
  stopped: "Incomplete",
  failed: "Incomplete",
};

/** "Truncated: hit the output limit"; null for a complete answer. */
function markOf(answer: DeepAnswer): string | null {
  const mark = MARKS[stateOf(answer)];
  return mark === null ? null : `${mark}: ${describeStopReason(answer.outcome.stopReason)}.`;
}

export type AnswerUsage = Pick<DeepAnswer["outcome"], "model" | "tokens" | "ms"> &
  Pick<DeepAnswer, "costUsd">;

/** "openai:gpt-5, 120,000 input tokens, 4,000 output tokens, USD 0.19, 61 s". */
export function describeAnswerUsage({ model, tokens, ms, costUsd }: AnswerUsage): string {
  const cached = tokens.cachedInput === 0 ? "" : ` (${grouped(tokens.cachedInput)} cached)`;
  return [
    model,
    `${count(tokens.input, "input token")}${cached}`,
    count(tokens.output, "output token"),
    describeCost(costUsd),
    `${grouped(Math.round(ms / 1_000))} s`,
  ].join(", ");
}

function renderReport(answer: DeepAnswer, { question, style, pack }: AnswerFacts, text: string): string {
  const tokens = pack.tokens === null ? count(pack.chars, "character") : count(pack.tokens, "token");
  const commits = pack.head === null || pack.base === null ? "" : `, ${pack.base} to ${pack.head}`;
  const mark = markOf(answer);
  return [
    "# Deep review",
    "",
    "## Question",
    "",
    printableLines(question).trim(),
    "",
    "## Answer",
    "",
    text === "" ? `None. ${mark ?? ""}` : text.trimEnd(),
    "",
    "## Details",
    "",
    `- Model: ${describeAnswerUsage({ ...answer.outcome, costUsd: answer.costUsd })}`,
    `- Settings: ${Object.entries(style)
      .map(([name, value]) => `${name} ${value}`)
      .join(", ")}`,
    `- Pack: ${tokens}${commits}`,
    `- Ended: ${describeStopReason(answer.outcome.stopReason)}`,
    "",
  ].join("\n");
}

function metadataOf(answer: DeepAnswer, { question, style, version, pack, citations }: AnswerFacts) {
  const { outcome, costUsd } = answer;
  return {
    version: 1,
    kodiai: version,
    state: stateOf(answer),
    stopReason: outcome.stopReason,
    question,
    model: outcome.model,
    ...style,
    usage: outcome.tokens,
    costUsd,
    durationMs: outcome.ms,
    citations,
    pack,
  };
}
