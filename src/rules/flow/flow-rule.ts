/** The common part of the source-to-sink rules: which flows they report, on which line and how. */
import type { Severity } from "../../base/severity.ts";
import { isSample } from "../../base/path-kinds.ts";
import type { FileView, RuleMatch, TreeRule } from "../rule.ts";
import { type Flow, flowsIn } from "./find-flows.ts";
import { type FlowKind, type Hole, RANK } from "./value.ts";

export type FlowWords = {
  readonly kind: FlowKind;
  /** The severity when anyone can send the value. */
  readonly outside: Severity;
  /** The title for a value with this name. */
  title(name: string, flow: Flow): string;
  /** False: the flow isn't worth a report in this file. */
  isWanted?(flow: Flow, file: FileView): boolean;
};

/** The project's own scripts, which developers run with their own values. */
const OWN_SCRIPT =
  /(?:^|\/)(?:\.github|\.circleci|scripts?|tools?|build|bin|ci|tasks?|benchmarks?|bench|examples?|docs?|release|hack|dev|maintenance|packaging|support|contrib|extras?)\/|^utils?\/|\.config\.\w+$|(?:^|\/)(?:gulpfile|gruntfile|rakefile|setup\.py|fabfile|noxfile|tasks\.py|conftest|manage\.py)|\.rake$/i;

/** Words of the expressions that outside input comes from. */
const SOURCE =
  /req\b|[rR]equest|params|\$_(?:GET|POST|COOKIE|FILES|SERVER)|location|[qQ]uery|[cC]ookie|FormValue|PathValue|@(?:Query|Body|Param)|argv|\.(?:Param|Args|data)\b/;

/** By flags. Rules share the patterns, so that a file is tested once for all of them. */
const SOURCES = new Map<string, RegExp>();

/** The trigger of a rule: a line that has the sink, or one that may have the source of a sink elsewhere. */
export function flowTrigger(sinks: RegExp): readonly RegExp[] {
  const sources = SOURCES.get(sinks.flags) ?? new RegExp(SOURCE, sinks.flags);
  SOURCES.set(sinks.flags, sources);
  return [sources, sinks];
}

/** The `check` of a rule for one kind of sink. */
export function checkFlows(words: FlowWords): TreeRule["check"] {
  return function* check(root, file): Iterable<RuleMatch> {
    const added = new Set(file.added.map(({ line }) => line));
    const seen = new Set<string>();
    for (const flow of flowsIn(root, file)) {
      if (flow.kind !== words.kind || words.isWanted?.(flow, file) === false) continue;
      const severity = severityOf(flow, file.path, words.outside);
      const line = added.has(flow.line) ? flow.line : flow.lines.findLast((one) => added.has(one));
      if (severity === null || line === undefined || seen.has(`${line}`)) continue;
      seen.add(`${line}`);
      yield {
        line,
        severity,
        // Only outside input has a way that the detail shows from its source.
        proof: flow.hole.rank === RANK.outside ? "trace" : null,
        title: words.title(nameOf(flow.hole), flow),
        detail: describe(flow, line),
      };
    }
  };
}

function severityOf({ hole }: Flow, path: string, outside: Severity): Severity | null {
  // Judging lowers it in folders of samples.
  if (hole.rank === RANK.outside) return outside;
  if (OWN_SCRIPT.test(path) || isSample(path)) return null;
  return hole.rank === RANK.weak ? "medium" : "major";
}

/** A name without spaces can't form a sentence that addresses a reader. */
const TITLE_NAME = /^[\w$@.:>?!()[\]"'-]{1,40}$/;

function nameOf({ text, via, rank }: Hole): string {
  for (const name of rank === RANK.outside ? [text, via ?? ""] : [via ?? text, text])
    if (TITLE_NAME.test(name)) return `\`${name}\``;
  return rank === RANK.outside ? "request input" : "a value";
}

function describe({ hole, line: sinkLine }: Flow, line: number): string {
  const where = hole.line === line ? "" : ` on line ${hole.line}`;
  const sink = sinkLine === line ? "" : ` It is used on line ${sinkLine}.`;
  if (hole.rank === RANK.outside) {
    const source = hole.via === null ? `\`${hole.text}\` is` : `\`${hole.via}\` comes from \`${hole.text}\``;
    return hole.via === null
      ? `${source} outside input.${sink}`
      : `${source}${where}, which is outside input.${sink}`;
  }
  if (hole.rank === RANK.weak)
    return `\`${hole.via ?? hole.text}\` comes from \`${hole.text}\`${where}.${sink}`;
  return `Nothing here escapes or restricts \`${hole.text}\`.${sink}`;
}
