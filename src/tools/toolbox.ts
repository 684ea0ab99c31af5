/**
 * The tools as every model adapter gets them: the toolbox checks arguments, guards, fences and bounds answers, and turns
 * failures into text. No input of a model makes a call reject.
 */
import { parseJson } from "../base/parse-json.ts";
import * as z from "zod";
import { messageOf } from "../base/errors.ts";
import type { ModelTask, ModelTool, ToolAnswer } from "../model/model.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { cutLine } from "./show-lines.ts";
import type { DataLine, ReadContext, Tool, ToolResult } from "./tool.ts";

/** Limit of one answer; tools have smaller limits. */
const MAX_DATA_CHARS = 200_000;

/** No known secret is longer: the guard gets this much more of a line than is shown. */
const MAX_SECRET_CHARS = 5_000;

/** All answers together. No model has such a window, but a hundred calls in one turn could request more. */
const MAX_TOTAL_CHARS = 8_000_000;

/** A real review of the largest change needs a few hundred; each call may start a git process. */
const MAX_CALLS = 2_000;

/** The fixed text of an answer; it can contain long file names. */
const MAX_TEXT_CHARS = 20_000;

const MAX_MESSAGE_CHARS = 500;

/** The name of an unknown tool in an answer. */
const MAX_NAME_CHARS = 100;

/** A longer list of mistakes doesn't help a model. */
const MAX_ISSUES = 5;

/** Models call many tools at once; each may start a git process. */
const MAX_CALLS_AT_ONCE = 4;

/** After this many malformed calls in a row, the model is stopped: it won't recover. */
const MAX_MALFORMED_CALLS = 3;

const UNREADABLE =
  "Your tool call couldn't be parsed. Call the tool again with arguments that are valid JSON.";

/** After this many identical calls in a row, the model is stuck in a loop. */
const MAX_SAME_CALLS = 3;

/** The sentences of the toolbox that depend on the work. */
export type ToolboxWords = {
  /** The work that ends: "review". */
  readonly work: string;
  /** A sentence about the work that remains when a model is stuck in a loop. */
  readonly kept: string;
  /** Asks the model to finish, because time is nearly up. */
  readonly hurry: string;
};

const REVIEW_WORDS: ToolboxWords = {
  work: "review",
  kept: "Your recorded findings are kept.",
  hurry:
    "Time is nearly up. Record what you are certain of with record_finding, then call finish_review. Don't start anything new.",
};

export type ToolCall = {
  readonly name: string;
  /** "wrong": the model's mistake; "failed": ours, or the outside's. */
  readonly outcome: "answered" | "wrong" | "failed";
};

export type ToolboxOptions = {
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** From then on, every answer ends with a request to finish. */
  readonly windDownAtMs: number;
  readonly onCall?: (call: ToolCall) => void;
  /** Left out: those of a review. */
  readonly words?: ToolboxWords;
};

type Toolbox = {
  readonly tools: readonly ModelTool[];
  readonly strayCalls: ModelTask["strayCalls"];
  /** The number of valid calls that failed. */
  readonly failureCount: () => number;
};

export function createToolbox<Context extends ReadContext>(
  allTools: readonly Tool<Context>[],
  context: Context,
  { now, windDownAtMs, onCall = () => {}, words = REVIEW_WORDS }: ToolboxOptions,
): Toolbox {
  const tools = allTools.filter((tool) => tool.isOffered?.(context) ?? true);
  const limit = createConcurrencyLimit(MAX_CALLS_AT_ONCE);
  let malformedInRow = 0;
  let sameInRow = 0;
  let lastCall = "";
  let failures = 0;
  let calls = 0;
  let answeredChars = 0;
  const isLate = (): boolean => now() >= windDownAtMs;
  const hurry = (): string => (isLate() ? `\n\n${words.hurry}` : "");
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
      return { text: "The limit for tool calls is reached.", isError: true, ends };
    }
    const thisCall = `${tool.name} ${JSON.stringify(parsed.args)}`;
    sameInRow = thisCall === lastCall ? sameInRow + 1 : 1;
    lastCall = thisCall;
    if (sameInRow >= MAX_SAME_CALLS) return describeLoop(tool.name, words);
    const isRepeated = sameInRow > 1;
    const result = await limit(() => tryTool(tool, parsed.args, timedContext));
    const { isError = false, isFinal = false, isFailure } = result;
    if (isFailure) failures++;
    onCall({ name: tool.name, outcome: isFailure ? "failed" : isError ? "wrong" : "answered" });
    const rest = isFinal ? "" : `${isRepeated ? describeRepeat(words) : ""}${hurry()}`;
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
      const problem = `Unknown tool: ${shown.join(", ")}. Available tools: ${known}.`.toWellFormed();
      return refuse(shown[0] ?? "", problem);
    },
    failureCount: () => failures,
  };
}

function describeRepeat({ work }: ToolboxWords): string {
  return `\n\nYou already made this call. A third identical call in a row ends the ${work}. Call something else, or finish.`;
}

function describeLoop(name: string, { work, kept }: ToolboxWords): ToolAnswer {
  return {
    text: `This is the third identical call of ${name} in a row, so the ${work} ends here. ${kept}`,
    isError: true,
    ends: { kind: "failed", stopReason: { kind: "repeated-tool-calls" } },
  };
}

/** The description of a tool for its callers. */
export function describeTool({ name, description, schema }: Tool<never>): Omit<ModelTool, "call"> {
  return { name, description, parameters: parametersOf(schema) };
}

/** Keywords that no caller needs: the tools check sizes themselves, and every call pays for these tokens. */
const SIZE_KEYWORDS = ["minLength", "maxLength", "minItems", "maxItems"] as const;

/** Without the parts that don't help a caller: the dialect, sizes, and limits that every line number or integer has. */
function parametersOf(schema: z.ZodType) {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, {
    io: "input",
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER || jsonSchema.minimum === 1)
        delete jsonSchema.minimum;
      for (const keyword of SIZE_KEYWORDS) delete jsonSchema[keyword];
    },
  });
  return parameters;
}

type Parsed<Args> =
  | { readonly isGood: true; readonly args: Args }
  | { readonly isGood: false; readonly problem: string };

/** `given` is any input of a model; a problem is described together with what was expected. */
export function parseToolArguments<Args>(
  { name, schema }: Pick<Tool<never, Args>, "name" | "schema">,
  given: unknown,
): Parsed<Args> {
  const args = asObject(given);
  if (args === null)
    return { isGood: false, problem: `${name} expects a JSON object. ${expectation(schema)}` };
  const parsed = schema.safeParse(args);
  if (parsed.success) return { isGood: true, args: parsed.data };
  const issues = parsed.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) =>
      `${path.map(String).join(".") || "arguments"}: ${message}`.slice(0, MAX_MESSAGE_CHARS),
    );
  return {
    isGood: false,
    problem: `Invalid arguments for ${name}. ${issues.join("; ")}. ${expectation(schema)}`.toWellFormed(),
  };
}

/** Models write null for omitted arguments, nothing for no arguments, and sometimes JSON in a string. */
function asObject(given: unknown): Readonly<Record<string, unknown>> | null {
  const value = typeof given === "string" ? parseJson(given) : (given ?? {});
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
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
    // The message may quote the repository, so it is data.
    const data = [{ prefix: "", text: messageOf(error).replace(/\s+/g, " "), maxChars: MAX_MESSAGE_CHARS }];
    return { text: `${tool.name} failed:`, data, isError: true, isFailure: true };
  }
}

function composeAnswer(name: string, { text, data = [] }: ToolResult, context: ReadContext): string {
  const cutText = text.length > MAX_TEXT_CHARS ? `${text.slice(0, MAX_TEXT_CHARS)} …` : text;
  const shown = data.some(({ prefix }) => prefix !== null);
  return (
    shown ? `${cutText}\n${context.guard.fence(name, showData(data, context))}` : cutText
  ).toWellFormed();
}

/** Guards all texts together, because a key spans lines; then adds each prefix. */
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
