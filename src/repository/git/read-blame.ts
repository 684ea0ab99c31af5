/** Reads git's porcelain blame of a file and joins consecutive lines of the same commit. */
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import type { BlameRange, HistoryEntry, Revision } from "../repository.ts";
import type { WithDeadline } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { runGit } from "./run-git.ts";

/** The last second that JavaScript can represent as a date. A commit may contain any number. */
const LAST_SECOND = 8_640_000_000_000;

/** These override a configuration that names a missing file, or a program to convert files with. */
const OPTIONS = ["-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv", "--no-progress"];

type Wanted = { readonly path: string; readonly from: number; readonly to: number };

type BlamedCommit = HistoryEntry & { readonly isEdge: boolean };

export function readBlame(
  revision: Revision,
  { path, from, to }: Wanted,
  runInTime: WithDeadline,
): Promise<readonly BlameRange[]> {
  // Without a commit, git reads the file on disk and reports uncommitted lines.
  const at = revision === "working-tree" ? [] : [commitOf(revision)];
  return runInTime(async (git) =>
    parseBlame(await runGit([...OPTIONS, "-L", `${from},${to}`, ...at, "--", path], git)),
  );
}

/** Each line starts with its commit and its number. Details of a commit come only with its first line. */
function parseBlame(porcelain: string): readonly BlameRange[] {
  const commits = new Map<string, BlamedCommit>();
  const ranges: BlameRange[] = [];
  let id = "";
  let line = 0;
  let fields = new Map<string, string>();
  for (const text of porcelain.split("\n")) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text);
    if (text.startsWith("\t")) {
      const entry = commits.get(id) ?? toEntry(id, fields);
      commits.set(id, entry);
      addLine(ranges, entry, line);
    } else if (header !== null) {
      id = header[1] ?? "";
      line = Number(header[2]);
      fields = new Map();
    } else {
      const space = text.indexOf(" ");
      fields.set(space === -1 ? text : text.slice(0, space), space === -1 ? "" : text.slice(space + 1));
    }
  }
  return ranges;
}

function toEntry(id: string, fields: ReadonlyMap<string, string>): BlamedCommit {
  const claimed = Number(fields.get("author-time") ?? "0");
  const seconds = Math.abs(claimed) <= LAST_SECOND ? claimed : 0;
  return {
    commit: /^0+$/.test(id) ? null : id,
    author: decodeBytes(fields.get("author") ?? ""),
    date: new Date(seconds * 1_000).toISOString().slice(0, "2026-01-31".length),
    subject: decodeBytes(fields.get("summary") ?? ""),
    isEdge: fields.has("boundary"),
  };
}

function addLine(ranges: BlameRange[], entry: BlamedCommit, line: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && last.commit === entry.commit && last.endLine === line - 1)
    ranges[ranges.length - 1] = { ...last, endLine: line };
  else ranges.push({ ...entry, startLine: line, endLine: line });
}
