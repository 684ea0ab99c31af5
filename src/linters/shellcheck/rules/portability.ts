/** Syntax that only Bash has, in scripts that say `#!/bin/sh`. On Debian, Ubuntu and Alpine that isn't Bash. */
import type { ShellcheckRule } from "../shellcheck-rule.ts";

/** The shell of Alpine and of routers knows many of them. */
const IS_BUSYBOX = /\b(?:busybox|apk|openwrt|opkg|ash)\b/;

function bashism(id: string, title: string): ShellcheckRule {
  return {
    id,
    severity: "major",
    category: "correctness",
    title: `Not portable to \`/bin/sh\`: ${title}`,
    why: "On Debian and Ubuntu `/bin/sh` is dash, which stops here with an error or does something else.",
    fix: "Write `#!/usr/bin/env bash` in the first line, or use what every shell has.",
    isWanted: (_, lines) =>
      /^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?sh\b/.test(lines[0] ?? "") &&
      // A script that starts itself again with Bash.
      !lines.some((line) => IS_BUSYBOX.test(line) || /\bexec\s+bash\b|BASH_VERSION/.test(line)),
  };
}

export const PORTABILITY: readonly ShellcheckRule[] = [
  bashism("SC3001", "only Bash has `<( )`"),
  bashism("SC3003", "only Bash has `$'…'`"),
  bashism("SC3005", "only Bash has `for ((…))`"),
  bashism("SC3006", "only Bash has `((…))`"),
  bashism("SC3009", "only Bash expands `{1..3}`"),
  bashism("SC3010", "only Bash has `[[ ]]`"),
  bashism("SC3011", "only Bash has `<<<`"),
  bashism("SC3014", "only Bash compares with `==` in `[ ]`"),
  bashism("SC3020", "elsewhere `&>` starts the command in the background"),
  bashism("SC3024", "only Bash has `+=`"),
  bashism("SC3030", "only Bash has arrays"),
  bashism("SC3037", "elsewhere `echo` prints its options"),
  bashism("SC3039", "only Bash has `let`"),
  bashism("SC3040", "not every `sh` has `pipefail`"),
  bashism("SC3045", "only Bash has this option"),
  bashism("SC3046", "only Bash has `source`"),
  bashism("SC3053", "only Bash has `${!name}`"),
  bashism("SC3054", "only Bash has arrays"),
  bashism("SC3057", "only Bash has `${name:0:3}`"),
  bashism("SC3059", "only Bash has `${name^^}`"),
  bashism("SC3060", "only Bash has `${name/a/b}`"),
];
