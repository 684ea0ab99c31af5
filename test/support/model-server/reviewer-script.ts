/**
 * A model that reviews: it reads the diff in its prompt, or requests it, records one finding on an added line, marks the files as
 * reviewed and finishes. A question gets an answer, with or without tools. It doesn't understand code, and says so.
 */
import type { ModelTurn, ScriptedRequest } from "./script.ts";

type AddedLine = { readonly path: string; readonly line: number; readonly text: string };

/** `=== src/a.ts (modified)`. */
const FILE_HEAD = /^=== (.+) \([^()]*\)$/;

/** `13+  return 1;`: the number and the sign. */
const ADDED = /^(\d+)\+(.*)$/;

function addedLines(text: string): readonly AddedLine[] {
  const found: AddedLine[] = [];
  let path: string | null = null;
  for (const line of text.split("\n")) {
    path = FILE_HEAD.exec(line)?.[1] ?? path;
    const [, number, code] = ADDED.exec(line) ?? [];
    if (path !== null && code !== undefined) found.push({ path, line: Number(number), text: code });
  }
  return found;
}

/** The longest line of the first file, because it most likely occurs only once. */
function lineToTell(lines: readonly AddedLine[]): AddedLine | null {
  const ofFirst = lines.filter(({ path }) => path === lines[0]?.path);
  return ofFirst.toSorted((a, b) => b.text.length - a.text.length)[0] ?? null;
}

function findingOn({ path, line, text }: AddedLine): ModelTurn {
  const args = {
    path,
    quote: text,
    line,
    title: "This line was chosen by the fake model",
    body: "This is what a finding of a model looks like. The fake model understands no code: it points at the longest added line of the first file.",
    severity: "medium",
    category: "maintainability",
    confidence: 0.9,
  };
  return { text: "I have read the diff.", toolCalls: [{ name: "record_finding", args }] };
}

function finishing(lines: readonly AddedLine[]): ModelTurn {
  const paths = [...new Set(lines.map(({ path }) => path))];
  const summary = "The fake model has looked at the change and understood nothing of it.";
  const marking = paths.length === 0 ? [] : [{ name: "mark_reviewed", args: { paths } }];
  return { toolCalls: [...marking, { name: "finish_review", args: { summary } }] };
}

const ASK_FOR_DIFF: ModelTurn = { toolCalls: [{ name: "show_diff", args: {} }] };

/** A deep review asks one question and offers no tools. */
function answerAbout(prompt: string): ModelTurn {
  return {
    thinking: "**Reading the pack**\n\nThis is where a provider's reasoning summary appears.\n",
    text: `This is where a model's answer appears. The fake model got a pack of ${prompt.length} characters and understands nothing of it.`,
  };
}

/** A question in a conversation: the answer cites the first added line. */
function answerQuestion([first]: readonly AddedLine[]): ModelTurn {
  const place = first === undefined ? "" : ` The first added line is \`${first.path}:${first.line}\`.`;
  const text = `This is where a model's answer appears.${place} The fake model understands nothing of it.`;
  return { toolCalls: [{ name: "give_answer", args: { text } }] };
}

export function reviewerScript({ prompt, tools, toolResults, turn }: ScriptedRequest): ModelTurn {
  if (tools.length === 0) return answerAbout(prompt);
  const lines = addedLines([prompt, ...toolResults].join("\n"));
  const isShown = addedLines(prompt).length > 0;
  if (!isShown && turn === 0) return ASK_FOR_DIFF;
  if (tools.some((name) => name.endsWith("give_answer"))) return answerQuestion(lines);
  const line = lineToTell(lines);
  return turn === (isShown ? 0 : 1) && line !== null ? findingOn(line) : finishing(lines);
}
