/** `pack_context`: the change with the code around it as one text, for programs that speak the Model Context Protocol. */
import * as z from "zod";
import { count, grouped } from "../base/count.ts";
import type { ContextPack, PackOmission } from "../review/pack/context-pack.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import { refArgument } from "./ref-argument.ts";
import { refuse } from "./resolve-paths.ts";
import type { Tool } from "./tool.ts";

/** Agents cut answers of more than about 25,000 of their own tokens, which are more than ours for the same text. */
const DEFAULT_TOKENS = 16_000;

/** Room for one small change. */
const MIN_TOKENS = 2_000;

/** The window of most models. */
const MAX_TOKENS = 200_000;

/** Four characters are about a token. Some texts have longer ones, and an answer must be bounded all the same. */
const MAX_CHARS_PER_TOKEN = 8;

/** Omissions in the answer, the best ranked first, filtered ones last. The files have all of them. */
const MAX_OMISSIONS = 60;

const schema = z.object({
  base: refArgument
    .optional()
    .describe("Compare the current branch with this branch, tag or commit; default: detected"),
  budgetTokens: z
    .int()
    .min(MIN_TOKENS)
    .max(MAX_TOKENS)
    .optional()
    .describe(`The most tokens of the pack; default ${DEFAULT_TOKENS}`),
  includeTests: z.boolean().optional().describe("Also tests that aren't close to the change"),
  includeDocs: z.boolean().optional().describe("Also documents"),
  includeLockfiles: z.boolean().optional().describe("Also lockfiles"),
});

/** The pack that a caller requests. */
export type WantedPack = {
  /** Null to detect it. */
  readonly base: string | null;
  readonly budgetTokens: number;
  readonly include: { readonly tests: boolean; readonly docs: boolean; readonly lockfiles: boolean };
};

export type WrittenPack = {
  readonly pack: ContextPack;
  /** Null when the files couldn't be written. */
  readonly folder: string | null;
  readonly fileNames: readonly string[];
};

type Packing = {
  readonly pack: (wanted: WantedPack) => Promise<WrittenPack>;
  readonly guard: Guard;
};

export const packContextTool: Tool<Packing, z.infer<typeof schema>> = {
  name: "pack_context",
  description:
    "The current change with the code around it, as one text that fits a number of tokens: the diff, the changed code, and related files from imports, names, words and history, the most relevant first. Call this first to understand a change. Lists what was left out and why.",
  schema,
  async execute(args, { pack, guard }) {
    const { base = null, budgetTokens = DEFAULT_TOKENS } = args;
    const {
      includeTests: tests = false,
      includeDocs: docs = false,
      includeLockfiles: lockfiles = false,
    } = args;
    const written = await pack({ base, budgetTokens, include: { tests, docs, lockfiles } });
    const parts = [describeFiles(written), listOmissions(written.pack, guard)];
    const { kind, text, tokens } = written.pack;
    if (kind === "core-over-budget")
      return refuse([describeOverBudget(written.pack), ...parts].filter(Boolean).join("\n"));
    const maxChars = tokens.budget * MAX_CHARS_PER_TOKEN;
    const cut = text.length > maxChars ? `${text.slice(0, maxChars)}\n… (cut)` : text;
    const fenced = guard.fence("pack_context", guard.code(cut));
    return { text: [describePack(written.pack), ...parts, fenced].filter(Boolean).join("\n").toWellFormed() };
  },
};

function describePack({ tokens, changed, selection }: ContextPack): string {
  const included = selection.filter(({ decision }) => decision !== "omitted");
  const reduced = included.filter(({ decision }) => decision === "reduced").length;
  const inPart = reduced === 0 ? "" : ` (${grouped(reduced)} in part)`;
  return `${grouped(tokens.final)} of ${grouped(tokens.budget)} tokens: ${count(changed.length, "changed file")} and ${count(included.length, "related file")}${inPart}.`;
}

function describeOverBudget({ tokens }: ContextPack): string {
  return `The diff alone needs ${grouped(tokens.baseline)} tokens, more than the budget of ${grouped(tokens.budget)}. Use a larger budgetTokens (up to ${grouped(MAX_TOKENS)}), or show_diff file by file.`;
}

function describeFiles({ folder, fileNames }: WrittenPack): string {
  return folder === null ? "" : `Files in ${folder}: ${fileNames.join(", ")}.`;
}

function listOmissions({ changedOmissions, selection }: ContextPack, guard: Guard): string {
  const related = selection.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }]));
  const [filtered = [], unfiltered = []] = [true, false].map((wanted) =>
    related.filter(({ reason }) => reason.startsWith("filtered:") === wanted),
  );
  // Filters are known beforehand. A close file without room is what a caller may want to read next.
  const all: readonly PackOmission[] = [...changedOmissions, ...unfiltered, ...filtered];
  if (all.length === 0) return "Nothing was left out.";
  const lines = all
    .slice(0, MAX_OMISSIONS)
    .map(({ path, reason }) => `${showPath(path, guard)}\t${reason}`)
    .join("\n");
  const more = all.length > MAX_OMISSIONS ? `, the first ${MAX_OMISSIONS} shown` : "";
  return `Left out or reduced: ${count(all.length, "file")}${more}.\n${guard.fence("omissions", lines)}`;
}
