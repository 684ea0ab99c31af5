/** What the process ends with; documented in docs/command-line.md. */
export const EXIT = {
  /** Reviewed, nothing at or above --fail-on. */
  ok: 0,
  /** Findings at or above --fail-on. */
  findings: 1,
  /** The command line or the configuration is wrong. */
  usage: 2,
  /** Not everything could be read. */
  incomplete: 3,
  /** Git, the disk or the network failed. */
  failure: 4,
  /** Stopped by Ctrl-C, as shells expect. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
