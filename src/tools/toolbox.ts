/**
 * The tools as every model adapter gets them: arguments are checked here, answers guarded, fenced and bounded, failures
 * turned into text. Nothing that a model sends makes a call reject.
 */
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { ModelTask, ModelTool, ToolAnswer } from "../model/model.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, Tool, ToolResult } from "./tool.ts";

/** The most that an answer shows; tools have smaller limits of their own. */
const MAX_DATA_CHARS = 200_000;

/** No known secret is longer: so much more of a line than is shown goes through the guard. */
const MAX_SECRET_CHARS = 5_000;

/** All answers together. No model can hold as much; a hundred calls in one answer could still ask for it. */
const MAX_TOTAL_CHARS = 8_000_000;

/** An honest review of the largest change takes a few hundred; each call may start a git. */
const MAX_CALLS = 2_000;

/** Our own words; names of files can be long. */
const MAX_TEXT_CHARS = 20_000;

const MAX_MESSAGE_CHARS = 500;

/** Of a tool that there is not. */
const MAX_NAME_CHARS = 100;

/** More mistakes at once teach a model no more. */
const MAX_ISSUES = 5;

/** Models call many tools at once; each may start a git. */
const MAX_CALLS_AT_ONCE = 4;

/** Malformed calls in a row after which a model is stopped; it will not learn it any more. */
const MAX_MALFORMED_CALLS = 3;

const UNREADABLE =
  "Your tool call could not be read. Call the tool again, with arguments that are valid JSON.";

/** The same call, with the same arguments, so often in a row: a model that makes it goes in circles. */
const MAX_SAME_CALLS = 3;

const HURRY =
  "\n\nTime is nearly over: record what is certain now with record_finding, then call finish_review. Start nothing new.";

const REPEATED =
  "\n\nYou made the same call before. The third time in a row ends the review: ask for something else, or finish.";

export type ToolCall = {
  readonly name: string;
  /** "wrong": the model's mistake; "failed": ours, or the outside's. */
  readonly outcome: "answered" | "wrong" | "failed";
};

export type ToolboxOptions = {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** From then on every answer ends with a word to finish. */
  readonly windDownAtMs: number;
  readonly onCall?: (call: ToolCall) => void;
};

type Toolbox = {
  readonly tools: readonly ModelTool[];
  readonly strayCalls: ModelTask["strayCalls"];
  /** How many calls could not be done although they were right. */
  readonly failureCount: () => number;
};

export function createToolbox<Context extends ReadContext>(
  tools: readonly Tool<Context>[],
  context: Context,
  { now, windDownAtMs, onCall = () => {} }: ToolboxOptions,
): Toolbox {
  const gate = createConcurrencyLimit(MAX_CALLS_AT_ONCE);
  let malformedInRow = 0;
  let sameInRow = 0;
  let lastCall = "";
  let failures = 0;
  let calls = 0;
  let answeredChars = 0;
  const isLate = (): boolean => now() >= windDownAtMs;
  const hurry = (): string => (isLate() ? HURRY : "");
  const timedContext = { ...context, isLate };

  const refuse = (name: string, problem: string): ToolAnswer => {
    malformedInRow++;
    onCall({ name, outcome: "wrong" });
    const isHopeless = malformedInRow >= MAX_MALFORMED_CALLS;
    const ends = isHopeless
      ? ({ kind: "failed", stopReason: { kind: "malformed-tool-calls" } } as const)
      : null;
    return { text: problem + hurry(), isError: true, ends };
  };

  const call = async (tool: Tool<Context>, args: unknown): Promise<ToolAnswer> => {
    const parsed = parseToolArguments(tool, args);
    if (!parsed.isGood) return refuse(tool.name, parsed.problem);
    malformedInRow = 0;
    if (++calls > MAX_CALLS || answeredChars > MAX_TOTAL_CHARS) {
      const kind = calls > MAX_CALLS ? "too-many-tool-calls" : "context-overflow";
      const ends = { kind: "failed", stopReason: { kind } } as const;
      return { text: "No more can be asked for.", isError: true, ends };
    }
    const thisCall = `${tool.name} ${JSON.stringify(parsed.args)}`;
    sameInRow = thisCall === lastCall ? sameInRow + 1 : 1;
    lastCall = thisCall;
    if (sameInRow >= MAX_SAME_CALLS) return goesInCircles(tool.name);
    const isRepeated = sameInRow > 1;
    const result = await gate(() => tryTool(tool, parsed.args, timedContext));
    const { isError = false, isFinal = false, isFailure } = result;
    if (isFailure) failures++;
    onCall({ name: tool.name, outcome: isFailure ? "failed" : isError ? "wrong" : "answered" });
    const rest = isFinal ? "" : `${isRepeated ? REPEATED : ""}${hurry()}`;
    const text = composeAnswer(tool.name, result, context) + rest;
    answeredChars += text.length;
    return { text, isError, ends: isFinal ? { kind: "completed", stopReason: { kind: "finished" } } : null };
  };

  return {
    tools: tools.map((tool) => ({ ...describeTool(tool), call: (args) => call(tool, args) })),
    strayCalls(names) {
      if (names.length === 0) return refuse("unreadable", UNREADABLE);
      const shown = [...new Set(names)].slice(0, MAX_ISSUES).map((name) => name.slice(0, MAX_NAME_CHARS));
      const known = tools.map(({ name }) => name).join(", ");
      const problem = `There is no tool ${shown.join(", ")}. There are: ${known}.`.toWellFormed();
      return refuse(shown[0] ?? "", problem);
    },
    failureCount: () => failures,
  };
}

function goesInCircles(name: string): ToolAnswer {
  return {
    text: `This is the same call of ${name} for the third time in a row, so the review ends here. What you recorded is kept.`,
    isError: true,
    ends: { kind: "failed", stopReason: { kind: "repeated-tool-calls" } },
  };
}

/** What anybody who may call it is told. */
export function describeTool({ name, description, schema }: Tool<never>): Omit<ModelTool, "call"> {
  return { name, description, parameters: parametersOf(schema) };
}

/** Without what is the same for every schema: its dialect, and how large a number can be in JavaScript. */
function parametersOf(schema: z.ZodType) {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return parameters;
}

type Parsed<Args> =
  | { readonly isGood: true; readonly args: Args }
  | { readonly isGood: false; readonly problem: string };

/** `given` is whatever was sent; what is wrong with it is said with what was expected. */
export function parseToolArguments<Args>(
  { name, schema }: Pick<Tool<never, Args>, "name" | "schema">,
  given: unknown,
): Parsed<Args> {
  const args = asObject(given);
  if (args === null) return { isGood: false, problem: `${name} takes a JSON object. ${expectation(schema)}` };
  const parsed = schema.safeParse(args);
  if (parsed.success) return { isGood: true, args: parsed.data };
  const issues = parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) =>
      `${path.map(String).join(".") || "arguments"}: ${message}`.slice(0, MAX_MESSAGE_CHARS),
    );
  return {
    isGood: false,
    problem: `Wrong arguments for ${name}. ${issues.join("; ")}. ${expectation(schema)}`.toWellFormed(),
  };
}

/** Models write null for what they leave out, nothing for no arguments, and sometimes JSON in a string. */
function asObject(given: unknown): Readonly<Record<string, unknown>> | null {
  const value = typeof given === "string" ? parseJson(given) : (given ?? {});
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function expectation(schema: z.ZodType): string {
  const { properties, required } = parametersOf(schema);
  return `Expected: ${JSON.stringify({ properties, required })}`;
}

type TriedResult = ToolResult & { readonly isFailure: boolean };

async function tryTool<Context extends ReadContext>(
  tool: Tool<Context>,
  args: unknown,
  context: Context,
): Promise<TriedResult> {
  try {
    return { ...(await tool.execute(args, context)), isFailure: false };
  } catch (error) {
    // What went wrong may quote the repository.
    const data = [{ prefix: "", text: messageOf(error).replace(/\s+/g, " "), maxChars: MAX_MESSAGE_CHARS }];
    return { text: `${tool.name} could not be done:`, data, isError: true, isFailure: true };
  }
}

function composeAnswer(name: string, { text, data = [] }: ToolResult, context: ReadContext): string {
  const said = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)} …` : text;
  const shown = data.some(({ prefix }) => prefix !== null);
  return (shown ? `${said}\n${context.guard.fence(name, showData(data, context))}` : said).toWellFormed();
}

/** All texts together, because a key goes on over lines; then each with what stands before it. */
function showData(data: readonly DataLine[], { guard }: ReadContext): string {
  const begun = data.map(({ text, maxChars }) =>
    text.slice(0, maxChars === undefined ? undefined : maxChars + MAX_SECRET_CHARS).replaceAll("\n", " "),
  );
  const texts = guard.code(begun.join("\n")).split("\n");
  const content = data
    .flatMap(({ prefix, text, maxChars = Number.POSITIVE_INFINITY }, index) =>
      prefix === null ? [] : [`${prefix}${cutLine(texts[index] ?? "", maxChars, text.length)}`],
    )
    .join("\n");
  return content.length > MAX_DATA_CHARS ? `${content.slice(0, MAX_DATA_CHARS)}\n… (cut)` : content;
}
