/**
 * Searches the files of a revision for text: git finds lines with a fixed string, and the caller filters them. The search
 * ends when all files are searched, enough hits are found, or the time is up.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import { decodeBytes, decodePath } from "../../review/change/decode-bytes.ts";
import type { Deadline, Revision, Search, SearchHit, SearchResult } from "../repository.ts";
import { cpuSecondsOf, createWorkLimit } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { type GitOptions, gitFailure, streamGit } from "./run-git.ts";

/** A longer line is probably data, so only its start is searched. */
const MAX_LINE_BYTES = 4_000;

/** How long lines are processed before yielding to the event loop. */
const YIELD_AFTER_MS = 20;

export async function search(
  revision: Revision,
  wanted: Search,
  { maxMs, signal, git }: Deadline & { readonly git: GitOptions },
): Promise<SearchResult> {
  if (/[\0\n]/.test(wanted.text)) throw new TypeError("the search text must be a single line");
  const { args, prefix } = grepArguments(revision, wanted);
  const enough = new AbortController();
  const limit = createWorkLimit(maxMs);
  const late = limit.signal;
  const stop = AbortSignal.any([
    enough.signal,
    late,
    signal,
    ...(git.signal === undefined ? [] : [git.signal]),
  ]);
  const hits: SearchHit[] = [];
  const parser = createHitParser(prefix);
  const collect = async (chunk: string): Promise<void> => {
    let since = performance.now();
    for (const hit of parser.push(chunk)) {
      if (stop.aborted) return;
      if (wanted.accepts(hit)) hits.push(hit);
      if (hits.length >= wanted.maxHits) return enough.abort();
      const busyMs = performance.now() - since;
      if (busyMs < YIELD_AFTER_MS) continue;
      limit.add(busyMs);
      await yieldToEventLoop();
      since = performance.now();
    }
  };
  try {
    const limited = { ...git, signal: stop, maxCpuSeconds: cpuSecondsOf(maxMs), onStart: limit.onStart };
    const exit = await streamGit(args, limited, collect);
    // Exit code 1 means that nothing was found.
    if (exit.code > 1 && !stop.aborted) throw gitFailure(args, exit);
  } catch (error) {
    if (!enough.signal.aborted && !late.aborted) throw error;
  } finally {
    const usedMs = limit.end();
    wanted.onUsed?.(usedMs);
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

/** Truncates at a whole character, because half of one would make the line look like another encoding. */
function cutBytes(text: string): string {
  if (text.length <= MAX_LINE_BYTES) return text;
  return text.slice(0, MAX_LINE_BYTES).replace(/[\xc0-\xff][\x80-\xbf]{0,2}$/, "");
}

/** Parses records of the form `path NUL line NUL text LF`. A path may contain line feeds, and a text may span chunks. */
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
