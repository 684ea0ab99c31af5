/** Says what a failed fetch means to whoever has to act on it, from what git said. */
import { KodiaiError, type ErrorCode } from "../../../base/errors.ts";
import { printable } from "../../../base/printable.ts";

/** Git's own messages are one line; what is longer repeats something of the repository's. */
const MAX_QUOTED_CHARS = 300;

type Meaning = {
  readonly says: RegExp;
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly retryable?: boolean;
};

/** The first that matches counts: what git says last is often only the echo of what it said first. */
const MEANINGS: readonly Meaning[] = [
  {
    says: /no space left on device|disk quota exceeded/i,
    code: "io",
    message: "the disk is full",
    hint: "Free space where the repositories are kept, or lower the limit of the repository cache.",
    retryable: true,
  },
  {
    says: /fsck error in pack/i,
    code: "bad-payload",
    message: "git's check refuses an object of this pull request",
    hint: "Look for malformed commits, file names or a malformed .gitmodules in the branch, for instance with `git fsck`.",
  },
  {
    says: /requested URL returned error: 429/,
    code: "rate-limited",
    message: "the host limits how often it may be fetched from",
    hint: "It is tried again later.",
    retryable: true,
  },
  {
    says: /authentication failed|could not read (?:username|password)|requested URL returned error: 4(?:0[13]|51)|access denied/i,
    code: "forbidden",
    message: "the host refuses to let us read the repository",
    hint: "Check that the app is installed on the repository and may read its contents.",
  },
  {
    says: /couldn't find remote ref/i,
    code: "not-found",
    message: "the base branch or the pull request is gone",
    hint: "Nothing needs to be done when it was deleted on purpose.",
    // The forge learns of a renamed branch a little later than git does.
    retryable: true,
  },
  {
    says: /repository '' not found|requested URL returned error: 4(?:04|10)|not valid: is this a git repository/i,
    code: "not-found",
    message: "the repository is gone, or is hidden from us",
    hint: "Check that the repository exists and that the app is installed on it.",
  },
  {
    // After a deepening by id: the commit was there a moment ago.
    says: /not our ref|no such remote ref/i,
    code: "not-found",
    message: "a commit of the pull request is gone",
    hint: "The branch was probably pushed to again meanwhile; its newest commit gets a review of its own.",
  },
  {
    says: /could not resolve|failed to connect|couldn't connect|connection (?:timed out|refused|reset)|timed out|too slow|operation timed|early eof|unexpected disconnect|RPC failed|the remote end hung up|requested URL returned error: 5\d\d|empty reply|SSL|gnutls|TLS|certificate|curl \d+|expected flush|invalid server response|network is unreachable|unable to access/i,
    code: "network",
    message: "the repository could not be reached",
    hint: "It is tried again later; if it goes on, check the network and the host's status.",
    retryable: true,
  },
];

/** `stderr` must not hold a credential. What means nothing known to us is a "git" error: the copy itself may be broken. */
export function fetchFailure(stderr: string, exitCode: number): KodiaiError {
  const lines = stderr.split(/[\r\n]+/);
  // What the host says, and names in quotes, may hold any words: neither decides what the failure means.
  const own = lines.filter((line) => !line.startsWith("remote:")).join("\n");
  const meaning = MEANINGS.find(({ says }) => says.test(own.replaceAll(/'[^'\n]*'/g, "''")));
  const telling = lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines.at(-1) ?? "";
  const said = printable(telling.slice(0, MAX_QUOTED_CHARS)) || `exit code ${exitCode}`;
  if (meaning === undefined) {
    return new KodiaiError("git", `git fetch failed: ${said}`, {
      hint: "The message above is git's own; deleting the copy of the repository in the cache is always safe.",
    });
  }
  return new KodiaiError(meaning.code, `${meaning.message} (${said})`, {
    hint: meaning.hint,
    retryable: meaning.retryable ?? false,
  });
}
