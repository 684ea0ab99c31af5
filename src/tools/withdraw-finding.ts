/** `withdraw_finding`: the model takes back a finding of its pass. The review lists it as withdrawn, with the reason. */
import * as z from "zod";
import { stripControls } from "../base/hidden-characters.ts";
import { maskSecrets } from "../base/secrets/mask-secrets.ts";
import { currentEntries } from "./notebook.ts";
import { quoteBack, refuse } from "./resolve-paths.ts";
import { serialize } from "./serialize.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** One or two sentences. */
const MAX_BECAUSE_CHARS = 1_000;

const schema = z.object({
  number: z.int().min(1).describe("From the answer of record_finding"),
  because: z.string().trim().min(1).max(MAX_BECAUSE_CHARS).describe("What proves it wrong"),
});

type Args = z.infer<typeof schema>;

export const withdrawFinding: Tool<ReviewContext, Args> = {
  name: "withdraw_finding",
  description: "Takes back a finding that you recorded. It is listed as withdrawn.",
  schema,
  execute: (args, context) => serialize(context.notebook, () => withdraw(args, context)),
};

async function withdraw({ number, because }: Args, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, guard } = context;
  const own = currentEntries(notebook).filter((entry) => entry.pass === pass.name);
  const entry = own.find((each) => each.number === number);
  if (entry === undefined) {
    const numbers = own.map((each) => `(${each.number})`).join(", ");
    return refuse(
      `(${number}) isn't a finding that you can withdraw. ${numbers === "" ? "There are none." : `These are: ${numbers}.`}`,
    );
  }
  const said = maskSecrets(guard.unfence(stripControls(because)))
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  if (said === "") return refuse("A withdrawn finding needs a readable reason.");
  await notebook.append({ kind: "withdrawn", pass: pass.name, finding: number, because: said });
  return { text: `Withdrawn: (${number}) ${quoteBack(entry.finding.title)}.` };
}
