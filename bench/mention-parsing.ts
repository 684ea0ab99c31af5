/** Parses hostile comments of 60 KB. Ten thousand of them must take less than a second, so that no comment holds up the webhook endpoint. */
import { parseMentions } from "../src/jobs/mentions/parse-mention.ts";
import { LIMITS } from "./limits.ts";
import { judge, quantile } from "./measure.ts";

const COMMENTS = 10_000;
const CHARS = 60_000;
const ROUNDS = 5;

/** A comment starts with the first text and repeats the second. Most make the parser look at as much as it ever does. */
const HOSTILE: Readonly<Record<string, readonly [start: string, repeated: string, kind: string | null]>> = {
  "addresses in quotes": ["", "> @kodiai review this please, it is urgent and on a long line\n", null],
  "addresses below a quote": [
    "> quote\n",
    "@kodiai review this please, it is urgent and on a long line\n",
    null,
  ],
  "addresses in code": ["```\n", "@kodiai review\n", null],
  "addresses in lists": ["", "- ```\n  @kodiai review\n", null],
  "addresses in sentences": ["", "I say that @kodiai may review this, and that it is long: @kodiai\n", "ask"],
  "addresses in an HTML comment": ["<!--\n", "@kodiai review\n\n", null],
  "addresses in a code span": ["`a\n", "@kodiai review `` this ``` please\n", null],
  "fences without an end": ["", "~~~ @kodiai\n@kodiai review\n", null],
  "single backticks": ["", `${"` ".repeat(51)}\n@kodiai review\n\`\n\n`, null],
  "backticks of many lengths": ["", "` `` ``` ```` ````` @kodiai ``````\n@kodiai review\nx ``````\n", "ask"],
  backslashes: ["", `${"\\".repeat(100)}\`\n@kodiai review\`\n\n`, null],
  "nested list items": ["", `${"- 1. ".repeat(30)}@kodiai\n\n  @kodiai review\n`, "review"],
  "angle brackets": ["", `${"<code <pr <!- ".repeat(10)}\n> a\n@kodiai review\n\n`, null],
  "one long line": ["@kodiai ", "a very long question ", "ask"],
  "one long line with addresses": ["", "a very long comment @kodiai ", "ask"],
  "many lines": ["", "\n", null],
  "many carriage returns": ["", "\r", null],
  "the name without a space": ["", "@kodiai", null],
  "letters of two bytes": ["", "@k\u043ediai review this please, it is urgent\n", null],
};

export async function mentionParsing(): Promise<void> {
  const bodies = Object.entries(HOSTILE).map(([name, [start, repeated, kind]]) => {
    const body = (start + repeated.repeat(Math.ceil(CHARS / repeated.length))).slice(0, CHARS);
    const found = parseMentions(body, "kodiai")[0]?.kind ?? null;
    if (found !== kind) throw new Error(`${name}: ${found ?? "no command"}`);
    return body;
  });
  const parsing: number[] = [];
  const searching: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const parsed = cpuMs(bodies, (body) => parseMentions(body, "kodiai").length > 0);
    const searched = cpuMs(bodies, (body) => body.includes("@kodiai question"));
    // The first round warms up and doesn't count.
    if (round === 0) continue;
    parsing.push(parsed);
    searching.push(searched);
  }
  const [parseMs, searchMs] = [quantile(parsing, 0.5), quantile(searching, 0.5)];
  console.log(
    `  searching ${COMMENTS} comments for a name (baseline)  ${searchMs.toFixed(0).padStart(6)} ms`,
  );
  console.log(`  parsing ${COMMENTS} comments                          ${parseMs.toFixed(0).padStart(6)} ms`);
  judge(LIMITS.mentionToSearch, parseMs / searchMs);
  judge(LIMITS.mentionParsing, parseMs);
}

/** Processor time, because other processes don't add to it. */
function cpuMs(bodies: readonly string[], isFound: (body: string) => boolean): number {
  const startedAt = process.cpuUsage();
  let found = 0;
  for (let count = 0; count < COMMENTS; count++) if (isFound(bodies[count % bodies.length] ?? "")) found++;
  const { user, system } = process.cpuUsage(startedAt);
  if (found > COMMENTS / 2) throw new Error("hostile comments were taken for commands");
  return (user + system) / 1_000;
}
