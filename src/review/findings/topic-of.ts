/**
 * The topic of a finding, for kinds of problems that several tools report in their own words. Two tools on one line with the same
 * topic report the same problem.
 */
import type { Finding } from "./finding.ts";
import { pointsAtSecret } from "./secret-rules.ts";

/** Tested on the id of the rule and the title, in lower case. The first match decides. */
const TOPICS: readonly (readonly [topic: string, words: RegExp])[] = [
  ["unquoted variable", /\bsc2086\b|\bshell-rm-unguarded\b/],
  ["sql", /\bsql(?:i|\b)|\bs608\b/],
  ["path", /path[- ]?(?:traversal|injection)|directory[- ]traversal|zip-?slip/],
  ["deserialization", /deseriali[sz]|unserialize|\bpickle\b|yaml[-.]load/],
  ["html", /\bxss\b|cross-site[- ]scripting|innerhtml/],
  ["redirect", /\b(?:open|unvalidated|url)[- ]redirect/],
  ["request", /\bssrf\b|server-side[- ]request|request[- ]forgery/],
  [
    "command",
    /command[- ](?:line[- ])?injection|\bshell\b(?!-(?!from-strings))|\bsubprocess\b|child[_-]process/,
  ],
  ["eval", /\beval\b|code[- ]injection/],
  ["tls", /\btls\b|certificate[- ](?:verification|validation|check)|insecure-?skip-?verify/],
  ["hash", /\bmd5\b|\bsha-?1\b|weak[- ](?:hash|crypto)/],
  ["random", /math\.random|(?:insecure|weak|pseudo)[- ]?random/],
  ["ignored error", /\berrcheck\b|error return value|(?:unchecked|ignored)[- ](?:go[- ])?error/],
  ["empty catch", /empty[- ]catch|\bno-empty\b|swallow/],
  ["bare except", /bare[- ]except|\be722\b/],
  ["mutable default", /mutable[- ](?:argument[- ])?default|\bb006\b/],
  ["promise", /floating[- ]promise|(?:un|not )awaited/],
  ["promise executor", /promise[- ]executor/],
  ["nan", /\bnan\b|\bisnan\b/],
  ["assert tuple", /assert[- ]tuple|\bf631\b/],
  ["is literal", /is[- ]literal|\bf632\b/],
  ["debugger", /\bdebugger\b/],
  ["condition", /\bno-(?:cond-assign|constant-condition|constant-binary-expression)\b/],
];

/** Null when the finding is about something else. */
export function topicOf(finding: Pick<Finding, "rule" | "title" | "isSecret">): string | null {
  if (pointsAtSecret(finding)) return "secret";
  const text = `${finding.rule ?? ""} ${finding.title}`.toLowerCase();
  return TOPICS.find(([, words]) => words.test(text))?.[0] ?? null;
}
