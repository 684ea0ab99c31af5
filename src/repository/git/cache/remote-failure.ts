/** Turns git's messages about a failed fetch or push into errors for operators. */
import { KodiaiError, type ErrorCode } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";

/** Git's own messages are one line. Longer ones repeat content of the repository. */
const MAX_QUOTED_CHARS = 300;

type Meaning = {
  readonly pattern: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly retryable?: boolean;
};

/** The first match counts, because git's later messages often only follow from the first. */
const MEANINGS: readonly Meaning[] = [
  {
    pattern: /no space left on device|disk quota exceeded/i,
    code: "disk-full",
    message: "the disk is full",
    hint: "Free up space on the disk with the repository cache, or lower KODIAI_CACHE_GB.",
    retryable: true,
  },
  {
    pattern: /fsck error in pack/i,
    code: "bad-payload",
    message: "git's object check rejected an object of the repository",
    hint: "Check the branch for malformed commits, file names or .gitmodules, for example with `git fsck`.",
  },
  {
    pattern: /requested URL returned error: 429/,
    code: "rate-limited",
    message: "the host's rate limit is reached",
    hint: "Kodiai retries later.",
    retryable: true,
  },
  {
    pattern:
      /authentication failed|could not read (?:username|password)|requested URL returned error: 4(?:0[13]|51)|access denied/i,
    code: "forbidden",
    message: "the host denied access to the repository",
    hint: "Check that the app is installed on the repository and has read access to its contents.",
  },
  {
    pattern: /couldn't find remote ref/i,
    code: "not-found",
    message: "the branch or the pull request no longer exists",
    hint: "No action is needed if it was deleted on purpose.",
    // GitHub's API reports a renamed branch a little later than git does.
    retryable: true,
  },
  {
    pattern:
      /repository '' not found|requested URL returned error: 4(?:04|10)|not valid: is this a git repository/i,
    code: "not-found",
    message: "the repository doesn't exist, or the app can't see it",
    hint: "Check that the repository exists and that the app is installed on it.",
  },
  {
    // Deepening fetches by id, so the commit existed a moment ago.
    pattern: /not our ref|no such remote ref/i,
    code: "not-found",
    message: "a commit of the pull request no longer exists",
    hint: "The branch was probably pushed in the meantime. Its newest commit gets a separate review.",
  },
  {
    pattern:
      /could not resolve|failed to connect|couldn't connect|connection (?:timed out|refused|reset)|timed out|too slow|operation timed|early eof|unexpected disconnect|RPC failed|the remote end hung up|requested URL returned error: 5\d\d|empty reply|SSL|gnutls|TLS|certificate|curl \d+|expected flush|invalid server response|network is unreachable|died of signal|unable to access/i,
    code: "network",
    message: "the repository couldn't be reached",
    hint: "Kodiai retries later. If the error persists, check the network and the host's status.",
    retryable: true,
  },
];

/** `stderr` must not contain a credential. Unknown failures are "git" errors, because the copy itself may be corrupt. */
export function remoteFailure(
  stderr: string,
  exitCode: number,
  command: "fetch" | "push" = "fetch",
): KodiaiError {
  const lines = stderr.split(/[\r\n]+/);
  // Messages of the host and quoted names may contain any words, so neither decides the meaning of the failure.
  const own = lines.filter((line) => !line.startsWith("remote:")).join("\n");
  const meaning = MEANINGS.find(({ pattern }) => pattern.test(own.replaceAll(/'[^'\n]*'/g, "''")));
  const line = lines.find((each) => /^(?:fatal|error):/.test(each)) ?? lines.at(-1) ?? "";
  const reason = printable(line.slice(0, MAX_QUOTED_CHARS)) || `exit code ${exitCode}`;
  if (meaning === undefined) {
    return new KodiaiError("git", `git ${command} failed: ${reason}`, {
      hint: "The message comes from git. You can always delete the repository's copy in the cache.",
    });
  }
  return new KodiaiError(meaning.code, `${meaning.message} (${reason})`, {
    hint: meaning.hint,
    retryable: meaning.retryable ?? false,
  });
}
