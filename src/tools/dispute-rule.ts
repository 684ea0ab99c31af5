/**
 * `dispute_rule`: the model says that a finding of a rule or linter is wrong, with a line that it has read. The finding stays as it is: a
 * second reading decides.
 */
import * as z from "zod";
import { stripControls } from "../base/hidden-characters.ts";
import { maskSecrets } from "../base/secrets/mask-secrets.ts";
import type { Dispute } from "../review/findings/finding.ts";
import { disputesIn } from "./notebook.ts";
import { hasSeenLine } from "./has-seen-line.ts";
import { MAX_PATH_CHARS, quoteBack, refuse, treePath } from "./resolve-paths.ts";
import { serialize } from "./serialize.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** One or two sentences. */
const MAX_BECAUSE_CHARS = 1_000;

/** A second reading checks fewer. */
const MAX_DISPUTES = 20;

const schema = z.object({
  finding: z.string().max(20).describe("Such as r1"),
  because: z.string().trim().min(1).max(MAX_BECAUSE_CHARS),
  path: z.string().max(MAX_PATH_CHARS).describe("With line: the code that proves it. You must have read it"),
  line: z.int().min(1),
});

type Args = z.infer<typeof schema>;

export const disputeRule: Tool<ReviewContext, Args> = {
  name: "dispute_rule",
  description: "Says that a listed finding of a rule or linter is wrong. It stays, and is checked again.",
  schema,
  isOffered: ({ evidence }) => evidence.some(({ id }) => id !== null),
  execute: (args, context) => serialize(context.notebook, () => dispute(args, context)),
};

async function dispute(args: Args, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, guard, evidence } = context;
  const id = args.finding.replace(/^[(\s]+|[)\s]+$/g, "").toLowerCase();
  const disputed = evidence.find((each) => each.id === id);
  if (disputed === undefined) return refuse(`${quoteBack(args.finding)} isn't the id of a listed finding.`);
  const known = disputesIn(notebook);
  if (known.has(disputed.key)) return { text: `${id} is already disputed.` };
  if (known.size >= MAX_DISPUTES) return refuse(`${known.size} findings are disputed. That is the limit.`);
  const path = treePath(args.path, guard);
  if (path === null || !hasSeenLine({ path, line: args.line }, context))
    return refuse(
      `${id} isn't disputed: you haven't read line ${args.line} of ${quoteBack(args.path)}. Read it first, and call again in a later turn.`,
    );
  const because = maskSecrets(guard.unfence(stripControls(args.because)))
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  if (because === "") return refuse("A dispute needs a readable reason.");
  const entry: Dispute = { because, evidence: { path, line: args.line } };
  await notebook.append({ kind: "disputed", pass: pass.name, finding: disputed.key, dispute: entry });
  return { text: `${id} is disputed. It stays, and is checked again.` };
}
