/** Reads the outcome of a push of one branch from git's status line and the host's messages. */
import { KodiaiError } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";
import type { PushOutcome } from "../../repository-writer.ts";
import { remoteFailure } from "../cache/remote-failure.ts";
import type { RemoteExit } from "../cache/run-remote-git.ts";

/** GitHub lists every violated rule. The first ones are enough. */
const MAX_MESSAGE_CHARS = 300;

/** Another push was faster, or holds the lock of the branch. The same push may have another outcome now. */
const LOST_RACE = /cannot lock ref|failed to (?:update|lock)|reference already exists|incorrect old value/i;

/** A host's words for a branch that has another commit than the push says. */
const CHANGED = /is at [0-9a-f]+ but expected|reference already exists|incorrect old value/i;

/** The host failed, not the push. */
const HOST_FAILURE = /^(?:internal (?:server )?error|fatal error in commit_refs|failure$)/i;

/** The start decides, because names of files may follow. */
const DENIED = /^(?:refusing to allow|permission|denied|not (?:allowed|authorized)|insufficient|forbidden)/i;

const PROTECTED =
  /^(?:protected branch|cannot update (?:this )?protected|push declined due to repository rule)/i;

/** GitHub's codes for protected branches and for rules of a repository. */
const PROTECTED_CODE = /^error: GH0(?:06|13)\b/;

/** Git's own words for a branch that has another commit than expected. */
const MOVED = /^(?:fetch first|stale info|non-fast-forward|needs force|already exists|remote ref updated)/;

const HTTP_DENIED = /authentication failed|could not read (?:username|password)|returned error: 40[13]\b/i;

type Status = {
  /** Git's flag: `!` for a rejected branch. */
  readonly flag: string;
  /** For example "remote rejected". */
  readonly kind: string;
  readonly reason: string;
};

export function isLostRace(exit: RemoteExit): boolean {
  const status = parseStatus(exit.stdout);
  return status?.kind === "remote rejected" && LOST_RACE.test(status.reason);
}

/** Throws if the outcome is unknown or the host can't be reached. The caller then repeats the push. */
export function readPushOutcome(exit: RemoteExit): PushOutcome {
  const status = parseStatus(exit.stdout);
  if (status === null) return readFailure(exit);
  if (status.flag !== "!") return { kind: "pushed" };
  const words = hostWords(exit.stderr);
  const message = oneLine([status.reason, ...words]);
  const isHostFailure = [status.reason, ...words].some((line) => HOST_FAILURE.test(line));
  if (status.kind === "remote failure" || isHostFailure) throw unknownOutcome(message);
  return { kind: "rejected", reason: reasonOf(status, words), message };
}

/** Lines look like `!<tab>FROM:TO<tab>[remote rejected] (reason)`. Null if git failed before it had a status. */
function parseStatus(stdout: string): Status | null {
  const [, flag, summary = ""] = /^([ +*=!-])\t[^\t\n]*\t(.*)$/m.exec(stdout) ?? [];
  if (flag === undefined) return null;
  const [, kind = "", reason = ""] = /^\[([^\]]*)\](?: \((.*)\))?$/.exec(summary) ?? [];
  return { flag, kind, reason: reason === "" ? kind : reason };
}

function reasonOf(
  { kind, reason }: Status,
  words: readonly string[],
): "moved" | "protected" | "denied" | "other" {
  if (kind === "rejected") return MOVED.test(reason) ? "moved" : "other";
  if (DENIED.test(reason)) return "denied";
  if (PROTECTED.test(reason) || words.some((line) => PROTECTED_CODE.test(line))) return "protected";
  return CHANGED.test(reason) ? "moved" : "other";
}

function readFailure({ code, stderr, isKilled }: RemoteExit): PushOutcome {
  if (isKilled || code === 0) throw unknownOutcome("git was stopped");
  const lines = stderr.split("\n");
  const own = lines.filter((line) => !line.startsWith("remote:")).join("\n");
  if (!HTTP_DENIED.test(own.replaceAll(/'[^'\n]*'/g, "''"))) throw remoteFailure(stderr, code, "push");
  const words = hostWords(stderr);
  const fatal = lines.filter((line) => line.startsWith("fatal:"));
  return { kind: "rejected", reason: "denied", message: oneLine(words.length > 0 ? words : fatal) };
}

/** The host's messages, without empty lines and frames. */
function hostWords(stderr: string): readonly string[] {
  return stderr
    .split("\n")
    .flatMap((line) => /^remote: ?(.*)$/.exec(line)?.[1]?.trim() ?? [])
    .filter((line) => /[a-z]/i.test(line));
}

function oneLine(lines: readonly string[]): string {
  return printable(lines.join(" ")).slice(0, MAX_MESSAGE_CHARS);
}

function unknownOutcome(message: string): KodiaiError {
  return new KodiaiError("network", `it is unknown whether the push succeeded (${message})`, {
    hint: "Kodiai repeats the push, which is harmless if it succeeded.",
    retryable: true,
  });
}
