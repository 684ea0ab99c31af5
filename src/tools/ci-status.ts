/** `ci_status`: what the checks of the head commit say. */
import * as z from "zod";
import type { CheckReport } from "../review/context/check-report.ts";
import { refuse } from "./resolve-paths.ts";
import type { DataLine, ReadContext, Tool } from "./tool.ts";

/** More checks than this are one check run for many platforms. */
const MAX_CHECKS = 50;

/** Enough for the end of a log. */
const MAX_SUMMARY_CHARS = 4_000;

/** What stands before the end is not shown, but a key may go on into it. */
const MAX_SURROUNDING_CHARS = 40_000;

const MAX_NAME_CHARS = 300;

/** Fine, or not decided; what went wrong is told first. */
const CALM: ReadonlySet<string> = new Set(["success", "neutral", "skipped"]);

const schema = z.object({});

export const ciStatus: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "ci_status",
  description: "The checks of the head commit: their state, and where those that failed did. At most 50.",
  schema,
  async execute(_, { readChecks }) {
    if (readChecks === null)
      return refuse("Nobody here knows the checks of this change. Go on without them.");
    const checks = await readChecks();
    if (checks.length === 0) return { text: "There are no checks for the head commit." };
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

/** The end of a summary is where a log says what went wrong. */
function showCheck({ name, state, summary }: CheckReport): readonly DataLine[] {
  const lines = summary === "" ? [] : summary.slice(-MAX_SURROUNDING_CHARS).split("\n");
  let leftChars = lines.reduce((sum, { length }) => sum + length + 1, 0);
  const shown = lines.map((text): DataLine => {
    const isNear = leftChars <= MAX_SUMMARY_CHARS;
    leftChars -= text.length + 1;
    // The last line is always shown, by its beginning if need be.
    return { prefix: isNear || leftChars === 0 ? "    " : null, text, maxChars: MAX_SUMMARY_CHARS };
  });
  return [{ prefix: "", text: `${state}: ${name}`, maxChars: MAX_NAME_CHARS }, ...shown];
}
