/**
 * Looks for text in the files of a revision: git finds lines that hold a fixed string, the caller has the last word. Ends
 * with the first that is enough: all files, the hits, or the time.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { decodeBytes, decodePath } from "../../review/change/decode-bytes.ts";
import type { Deadline, Revision, Search, SearchHit, SearchResult } from "../repository.ts";
import { cpuSecondsOf } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { type GitOptions, gitFailure, streamGit } from "./run-git.ts";

/** A longer line is data: its beginning is looked at. */
const MAX_LINE_BYTES = 4_000;

/** How long one caller's lines are looked at before others get their turn. */
const TURN_MS = 20;

export async function search(
  revision: Revision,
  wanted: Search,
  { maxMs, signal, git }: Deadline & { readonly git: GitOptions },
): Promise<SearchResult> {
  if (/[\0\n]/.test(wanted.text)) throw new TypeError("a search is for text of one line");
  const enough = new AbortController();
  const late = AbortSignal.timeout(maxMs);
  const stop = AbortSignal.any([
    enough.signal,
    late,
    signal,
    ...(git.signal === undefined ? [] : [git.signal]),
  ]);
  const { args, prefix } = grepArguments(revision, wanted);
  const hits: SearchHit[] = [];
  const parser = createHitParser(prefix);
  const look = async (chunk: string): Promise<void> => {
    let turnEnds = performance.now() + TURN_MS;
    for (const hit of parser.push(chunk)) {
      if (stop.aborted) return;
      if (wanted.accepts(hit)) hits.push(hit);
      if (hits.length >= wanted.maxHits) return enough.abort();
      if (performance.now() < turnEnds) continue;
      await yieldToEventLoop();
      turnEnds = performance.now() + TURN_MS;
    }
  };
  try {
    const limited = { ...git, signal: stop, maxCpuSeconds: cpuSecondsOf(maxMs) };
    const exit = await streamGit(args, limited, look);
    // Exit code 1 means that nothing was found.
    if (exit.code > 1 && !stop.aborted) throw gitFailure(args, exit);
  } catch (error) {
    if (!enough.signal.aborted && !late.aborted) throw error;
  }
  signal.throwIfAborted();
  git.signal?.throwIfAborted();
  return { hits, endedBy: enough.signal.aborted ? "hits" : late.aborted ? "time" : "end" };
}

function grepArguments(revision: Revision, { text, isWord, folder }: Search) {
  const options = ["--fixed-strings", "-I", "-n", "-z", "--full-name", "--no-color", "--no-textconv"];
  const how = [...options, ...(isWord ? ["--word-regexp"] : []), "-e", text];
  const below = folder === "" ? ["--"] : ["--", `${folder}/`];
  if (revision === "working-tree") return { args: ["grep", "--untracked", ...how, ...below], prefix: "" };
  if (revision === "index") return { args: ["grep", "--cached", ...how, ...below], prefix: "" };
  const commit = commitOf(revision);
  return { args: ["grep", ...how, commit, ...below], prefix: `${commit}:` };
}

/** What is cut ends with a whole character: half of one would make the line look as if it had another encoding. */
function cutBytes(text: string): string {
  if (text.length <= MAX_LINE_BYTES) return text;
  return text.slice(0, MAX_LINE_BYTES).replace(/[\xc0-\xff][\x80-\xbf]{0,2}$/, "");
}

/** Records are `path NUL line NUL text LF`. A path may hold line feeds, a text of any length may come in pieces. */
function createHitParser(prefix: string): { push(chunk: string): Generator<SearchHit> } {
  let rest = "";
  let isSkipping = false;
  const toHit = (path: string, line: string, text: string): SearchHit => ({
    path: decodePath(path.slice(prefix.length)),
    line: Number(line),
    text: decodeBytes(cutBytes(text)).replace(/\r$/, ""),
  });
  return {
    *push(chunk) {
      const bytes = rest + chunk;
      let at = 0;
      rest = "";
      while (at < bytes.length) {
        if (isSkipping) {
          const end = bytes.indexOf("\n", at);
          if (end === -1) return;
          at = end + 1;
          isSkipping = false;
          continue;
        }
        const pathEnd = bytes.indexOf("\0", at);
        const lineEnd = pathEnd === -1 ? -1 : bytes.indexOf("\0", pathEnd + 1);
        const end = lineEnd === -1 ? -1 : bytes.indexOf("\n", lineEnd + 1);
        if (end === -1 && (lineEnd === -1 || bytes.length - lineEnd <= MAX_LINE_BYTES)) {
          rest = bytes.slice(at);
          return;
        }
        isSkipping = end === -1;
        const text = bytes.slice(lineEnd + 1, end === -1 ? undefined : end);
        yield toHit(bytes.slice(at, pathEnd), bytes.slice(pathEnd + 1, lineEnd), text);
        at = end === -1 ? bytes.length : end + 1;
      }
    },
  };
}
