/**
 * `confirm_finding`: the model says whether a finding of an earlier review is still there. A fix counts only with a line of the diff that
 * shows it. Without an answer the finding stays open.
 */
import * as z from "zod";
import { locateFinding } from "../review/findings/anchor-finding.ts";
import { quotedFinding } from "./record-finding.ts";
import { changedFile, refuse } from "./resolve-paths.ts";
import { serialize } from "./serialize.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

const MAX_QUOTE_CHARS = 4_000;

const schema = z.object({
  number: z.int().min(1).describe("In the list of findings to check again"),
  verdict: z.enum(["still-there", "fixed"]),
  quote: z.string().max(MAX_QUOTE_CHARS).describe("The lines of the diff that show it"),
});

type Args = z.infer<typeof schema>;

export const confirmFinding: Tool<ReviewContext, Args> = {
  name: "confirm_finding",
  description:
    "Says whether a finding of an earlier review is still there or fixed. Without an answer it stays open.",
  schema,
  isOffered: ({ toCheckAgain }) => toCheckAgain.length > 0,
  execute: (args, context) => serialize(context.notebook, () => confirm(args, context)),
};

async function confirm({ number, verdict, quote }: Args, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, toCheckAgain } = context;
  const asked = toCheckAgain.find((each) => each.number === number && pass.paths.has(each.path));
  if (asked === undefined) return refuse(`(${number}) isn't in your list of findings to check again.`);
  const file = changedFile(asked.path, context);
  const isShown = file !== null && locateFinding(quotedFinding(quote, file, context), file).kind === "placed";
  if (verdict === "fixed" && !isShown)
    return refuse(
      `(${number}) stays open: the quote isn't in the diff of its file. Quote the lines of the diff that fix it, or the removed lines that had the problem.`,
    );
  // Answers are few: one for each finding of the list, and corrections.
  const before = notebook.entries().filter((entry) => entry.kind === "checked" && entry.finding === number);
  if (before.length >= MAX_ANSWERS) return refuse(`(${number}) was answered ${before.length} times.`);
  await notebook.append({
    kind: "checked",
    pass: pass.name,
    finding: number,
    verdict,
    quote: isShown ? quote : "",
  });
  return { text: `(${number}) is recorded as ${verdict === "fixed" ? "fixed" : "still there"}.` };
}

/** A model may correct itself. */
const MAX_ANSWERS = 3;
