/** Who brought the lines of a file: git's porcelain blame, neighbouring lines of a commit joined. */
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import type { BlameRange, HistoryEntry, Revision } from "../repository.ts";
import type { InTime } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { runGit } from "./run-git.ts";

/** The last second that has a date; a commit may claim any other. */
const LAST_SECOND = 8_640_000_000_000;

/** Configuration could name a file that is not there, or a program to show the file with. */
const OPTIONS = ["-c", "blame.ignoreRevsFile=", "blame", "--porcelain", "--no-textconv", "--no-progress"];

type Wanted = { readonly path: string; readonly from: number; readonly to: number };

type Told = HistoryEntry & { readonly isEdge: boolean };

export function readBlame(
  revision: Revision,
  { path, from, to }: Wanted,
  inTime: InTime,
): Promise<readonly BlameRange[]> {
  // Without a commit git looks at the file on disk, and tells what is not committed.
  const at = revision === "working-tree" ? [] : [commitOf(revision)];
  return inTime(async (git) =>
    parseBlame(await runGit([...OPTIONS, "-L", `${from},${to}`, ...at, "--", path], git)),
  );
}

/** Each line begins with its commit and its number; what is known of a commit is told with its first line only. */
function parseBlame(porcelain: string): readonly BlameRange[] {
  const told = new Map<string, Told>();
  const ranges: BlameRange[] = [];
  let id = "";
  let line = 0;
  let fields = new Map<string, string>();
  for (const text of porcelain.split("\n")) {
    const header = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text);
    if (text.startsWith("\t")) {
      const entry = told.get(id) ?? toEntry(id, fields);
      told.set(id, entry);
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

function toEntry(id: string, fields: ReadonlyMap<string, string>): Told {
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

function addLine(ranges: BlameRange[], entry: Told, line: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && last.commit === entry.commit && last.endLine === line - 1)
    ranges[ranges.length - 1] = { ...last, endLine: line };
  else ranges.push({ ...entry, startLine: line, endLine: line });
}
