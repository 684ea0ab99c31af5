/** Exit codes of the process, documented in docs/command-line.md. */
export const EXIT = {
  /** Success, with no findings at or above --fail-on. */
  ok: 0,
  /** Findings at or above --fail-on. */
  findings: 1,
  /** The command line or the configuration is invalid. */
  usage: 2,
  /** Some of the change couldn't be reviewed. */
  incomplete: 3,
  /** Git, the disk or the network failed. */
  failure: 4,
  /** Interrupted by Ctrl-C. Shells expect this value. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
