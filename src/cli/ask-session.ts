/** Questions one after the other, from the keyboard or from standard input, one per line. The conversation is kept for the session only. */
import { count } from "../base/count.ts";
import { MAX_QUESTION_CHARS } from "../review/prompt/conversation-prompt.ts";
import { MAX_THREAD_COMMENTS } from "../review/prompt/surroundings/show-thread.ts";
import type { ThreadComment } from "../review/prompt/surroundings/surroundings.ts";
import type { CliDeps } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";

/** A provider of input that sends no line feed must not fill the memory. */
const MAX_LINE_BYTES = MAX_QUESTION_CHARS * 4;

const ENDS: ReadonlySet<string> = new Set(["exit", "quit", ":q"]);

export type Exchanged = { readonly code: ExitCode; readonly answer: string | null };

/** `ask` answers one question. The exit code is that of the last one. */
export async function holdAskSession(
  ask: (question: string, earlier: readonly ThreadComment[]) => Promise<Exchanged>,
  { files, stderr }: Pick<CliDeps, "files" | "stderr">,
): Promise<ExitCode> {
  const prompt = (): void => {
    if (stderr.isTerminal) stderr.write("? ");
  };
  const earlier: ThreadComment[] = [];
  let code: ExitCode | null = null;
  if (stderr.isTerminal) stderr.write('Ask about the code. "exit" or Ctrl-D ends the session.\n');
  prompt();
  for await (const line of readLines(files)) {
    const question = line.trim();
    if (ENDS.has(question)) break;
    if (question === "") {
      prompt();
      continue;
    }
    if (question.length > MAX_QUESTION_CHARS) {
      stderr.write(
        `kodiai: a question has at most ${count(MAX_QUESTION_CHARS, "character")}; this one wasn't asked\n`,
      );
      code = EXIT.usage;
    } else {
      const exchanged = await ask(question, earlier);
      ({ code } = exchanged);
      if (exchanged.answer !== null) {
        earlier.push({ author: "you", isOwn: false, text: question });
        earlier.push({ author: "Kodiai", isOwn: true, text: exchanged.answer });
        // The prompt takes no more.
        earlier.splice(0, Math.max(0, earlier.length - MAX_THREAD_COMMENTS));
      }
    }
    prompt();
  }
  if (stderr.isTerminal) stderr.write("\n");
  if (code !== null) return code;
  if (!stderr.isTerminal) stderr.write("kodiai: no question was asked. Pass one: kodiai ask QUESTION\n");
  return stderr.isTerminal ? EXIT.ok : EXIT.usage;
}

/** Standard input has one character per byte. */
async function* readLines({ readInput }: CliDeps["files"]): AsyncGenerator<string> {
  let rest = "";
  const toText = (line: string): string => Buffer.from(line, "latin1").toString("utf8");
  for await (const chunk of readInput("-")) {
    rest += chunk;
    for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
      yield toText(rest.slice(0, end));
      rest = rest.slice(end + 1);
    }
    // One character more than fits, so that the question is refused rather than cut.
    if (rest.length > MAX_LINE_BYTES) rest = rest.slice(0, MAX_LINE_BYTES + 1);
  }
  if (rest !== "") yield toText(rest);
}
