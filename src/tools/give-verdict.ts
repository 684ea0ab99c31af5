/**
 * `give_verdict`: what a verifier found out about one claim. A verdict counts only with a line of code that the verifier has read; the
 * second verdict without one counts as unsure. The conversation ends with the last claim's verdict.
 */
import * as z from "zod";
import { isCommentLine } from "../base/is-comment-line.ts";
import { stripControls } from "../base/hidden-characters.ts";
import { maskSecrets } from "../base/secrets/mask-secrets.ts";
import { SEVERITIES } from "../base/severity.ts";
import type { GivenVerdict } from "../review/context/verification.ts";
import { VERIFIER_VERDICTS } from "../review/context/verifier-verdicts.ts";
import { changedFile, isRefusal, MAX_PATH_CHARS, openTextFile, refuse, treePath } from "./resolve-paths.ts";
import { serialize } from "./serialize.ts";
import type { Notebook } from "./notebook.ts";
import type { Shown } from "./shown.ts";
import type { ReadContext, Tool, ToolResult } from "./tool.ts";

/** One or two sentences. Models count badly, so a longer text is cut, not refused. */
const MAX_BECAUSE_CHARS = 400;
const MAX_TAKEN_CHARS = 4_000;

export type VerifyContext = ReadContext & {
  readonly notebook: Notebook;
  readonly pass: string;
  /** `provider:name` of the verifier. */
  readonly model: string;
  /** Keys of the claims, by the number in the prompt from 1 on. */
  readonly claims: readonly string[];
  readonly shown: Shown;
  /** Claims whose verdict was refused once for its evidence. */
  readonly warned: Set<string>;
};

const schema = z.object({
  claim: z.int().min(1).describe("The number of the claim"),
  verdict: z.enum(VERIFIER_VERDICTS),
  isNew: z.boolean().describe("False if the code had the same problem before this change"),
  evidence: z
    .string()
    .max(MAX_PATH_CHARS)
    .describe("The line of code that decides, as path:line. You must have read it"),
  severity: z.enum(SEVERITIES).describe("How bad it is if the claim is true"),
  because: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TAKEN_CHARS)
    .describe(
      `What that line does, and why it decides. One or two sentences, up to ${MAX_BECAUSE_CHARS} characters`,
    ),
});

type Args = z.infer<typeof schema>;

export const giveVerdict: Tool<VerifyContext, Args> = {
  name: "give_verdict",
  description:
    "Gives the verdict about one claim. Call it once for each claim; the last one ends the conversation.",
  schema,
  execute: (args, context) => serialize(context.notebook, () => decide(args, context)),
};

async function decide(args: Args, context: VerifyContext): Promise<ToolResult> {
  const { claims, notebook, pass, warned } = context;
  const key = claims[args.claim - 1];
  if (key === undefined)
    return refuse(`There is no claim ${args.claim}: they are numbered 1 to ${claims.length}.`);
  if (judgedIn(context).has(key)) return refuse(`Claim ${args.claim} has its verdict.`);
  const found = await findEvidence(args, context);
  if ("problem" in found && args.verdict !== "unsure" && !warned.has(key)) {
    warned.add(key);
    return refuse(
      `${found.problem} Give the verdict again with a line of code that you have read and that decides, or as unsure.`,
    );
  }
  await notebook.append({ kind: "verdict", pass, claim: key, verification: verdictOf(args, found, context) });
  const left = claims.length - judgedIn(context).size;
  if (left > 0) return { text: `The verdict is kept. ${left} more to give.` };
  return { text: "The verdict is kept. All claims are checked.", isFinal: true };
}

/** Claims of this conversation that have a verdict. */
export function judgedIn({
  claims,
  notebook,
}: Pick<VerifyContext, "claims" | "notebook">): ReadonlySet<string> {
  const judged = new Set(
    notebook.entries().flatMap((entry) => (entry.kind === "verdict" ? [entry.claim] : [])),
  );
  return judged.intersection(new Set(claims));
}

type Evidence = NonNullable<GivenVerdict["evidence"]>;

function verdictOf(
  { verdict, isNew, severity, because }: Args,
  found: Evidence | { readonly problem: string },
  { guard, model }: VerifyContext,
): GivenVerdict {
  const words = maskSecrets(guard.unfence(stripControls(because)))
    .trim()
    .toWellFormed();
  const evidence = "problem" in found ? null : found;
  return {
    verdict: evidence === null ? "unsure" : verdict,
    isNew,
    severity,
    evidence,
    because:
      words.length > MAX_BECAUSE_CHARS ? `${words.slice(0, MAX_BECAUSE_CHARS - 1).toWellFormed()}…` : words,
    model,
  };
}

/** A comment can say anything, so it decides nothing. */
async function findEvidence(
  { evidence, verdict }: Args,
  context: VerifyContext,
): Promise<Evidence | { readonly problem: string }> {
  const [, given = "", number = ""] = /^\s*`?(.+?):(\d{1,7})(?:[-–:]\d+)?`?\s*$/.exec(evidence) ?? [];
  const path = treePath(given, context.guard);
  const line = Number(number);
  if (path === null || line === 0)
    return { problem: "The evidence must be one line of the repository, as path:line, such as src/a.ts:42." };
  const isShown = (side: string): boolean =>
    context.shown.whereLines(side, { from: line, to: line }) !== null;
  const isAtHead = isShown(`head:${path}`);
  if (!isAtHead && !isShown(`base:${changedFile(given, context)?.oldPath ?? path}`))
    return { problem: "You haven't read that line. Read it with read_file first." };
  if (verdict !== "refuted") return { path, line };
  const file = await openTextFile(given, isAtHead ? "head" : "base", context);
  if (!isRefusal(file) && isCommentLine(file.lines, line))
    return { problem: "That line is a comment or blank: it says something, but does nothing." };
  return { path, line };
}
