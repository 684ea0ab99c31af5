/** `ci_status`: the checks of the head commit. */
import * as z from "zod";
import type { CheckReport } from "../review/context/check-report.ts";
import { textOfCheck } from "../review/context/describe-check.ts";
import { refuse } from "./resolve-paths.ts";
import type { DataLine, ReadContext, Tool } from "./tool.ts";

/** With more checks, most are one check on many platforms. */
const MAX_CHECKS = 50;

/** Enough for the end of a log. */
const MAX_SUMMARY_CHARS = 4_000;

/** Text before the shown end is scanned too, because a key may continue into it. */
const MAX_SURROUNDING_CHARS = 40_000;

const MAX_NAME_CHARS = 300;

/** States without a problem; checks in other states are shown first. */
const CALM: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

const schema = z.object({});

export const ciStatus: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "ci_status",
  description: "The checks of the head commit, and where they failed. At most 50.",
  schema,
  isOffered: ({ readChecks }) => readChecks !== null,
  async execute(_, { readChecks }) {
    if (readChecks === null)
      return refuse("The checks of this change aren't available. Continue without them.");
    const checks = await readChecks();
    if (checks.length === 0) return { text: "The head commit has no checks." };
    const isCalm = ({ state }: CheckReport): boolean => CALM.has(state);
    const ordered = [...checks.filter((check) => !isCalm(check)), ...checks.filter(isCalm)].slice(
      0,
      MAX_CHECKS,
    );
    const cut = checks.length > MAX_CHECKS ? `; the first ${MAX_CHECKS} are shown` : "";
    return {
      text: `${checks.length} ${checks.length === 1 ? "check" : "checks"}${cut}.`,
      data: ordered.flatMap(showCheck),
    };
  },
};

/** Logs report errors at the end, so the end is shown. */
function showCheck(check: CheckReport): readonly DataLine[] {
  const { name, state } = check;
  const report = textOfCheck(check);
  const lines = report === "" ? [] : report.slice(-MAX_SURROUNDING_CHARS).split("\n");
  let leftChars = lines.reduce((sum, { length }) => sum + length + 1, 0);
  const shown = lines.map((text): DataLine => {
    const isNear = leftChars <= MAX_SUMMARY_CHARS;
    leftChars -= text.length + 1;
    // The last line is always shown, cut if necessary.
    return { prefix: isNear || leftChars === 0 ? "    " : null, text, maxChars: MAX_SUMMARY_CHARS };
  });
  return [{ prefix: "", text: `${state}: ${name}`, maxChars: MAX_NAME_CHARS }, ...shown];
}
