/** Syntax that only Bash has, in scripts that say `#!/bin/sh`. On Debian, Ubuntu and Alpine that isn't Bash. */
import type { AnalyserRule } from "../../analyser-rule.ts";
import type { ShellcheckRule } from "../shellcheck-rule.ts";

/** The shell of Alpine and of routers knows many of them. */
const IS_BUSYBOX = /\b(?:busybox|apk|openwrt|opkg|ash)\b/;

function bashism(id: string, title: string, example: string): ShellcheckRule {
  const path = "scripts/run.sh";
  const bad: AnalyserRule["examples"]["bad"][number] = { path, line: 2, text: `#!/bin/sh\n${example}\n` };
  return {
    id,
    severity: "major",
    category: "correctness",
    title: `Not portable to \`/bin/sh\`: ${title}`,
    why: "On Debian and Ubuntu `/bin/sh` is dash, which stops here with an error or does something else.",
    fix: "Write `#!/usr/bin/env bash` in the first line, or use what every shell has.",
    reason: "Reported only for scripts whose first line names `sh`, and not for BusyBox.",
    isWanted: (_, lines) =>
      /^#!\s*(?:\/usr)?\/bin\/(?:env\s+)?sh\b/.test(lines[0] ?? "") &&
      // A script that starts itself again with Bash.
      !lines.some((line) => IS_BUSYBOX.test(line) || /\bexec\s+bash\b|BASH_VERSION/.test(line)),
    examples: { bad: [bad], good: [{ path, text: `#!/bin/bash\n${example}\n` }] },
  };
}

export const PORTABILITY: readonly ShellcheckRule[] = [
  bashism("SC3001", "only Bash has `<( )`", "diff <(sort a.txt) <(sort b.txt)"),
  bashism("SC3003", "only Bash has `$'…'`", "printf '%s' $'a\\tb'"),
  bashism("SC3005", "only Bash has `for ((…))`", "for ((i = 0; i < 3; i++)); do echo 1; done"),
  bashism("SC3006", "only Bash has `((…))`", "((1 + 1))"),
  bashism("SC3009", "only Bash expands `{1..3}`", 'for i in {1..3}; do echo "$i"; done'),
  bashism("SC3010", "only Bash has `[[ ]]`", 'if [[ "$1" = a* ]]; then echo ok; fi'),
  bashism("SC3011", "only Bash has `<<<`", 'grep a <<< "$1"'),
  bashism("SC3014", "only Bash compares with `==` in `[ ]`", 'if [ "$1" == a ]; then echo ok; fi'),
  bashism("SC3020", "elsewhere `&>` starts the command in the background", "make &> build.log"),
  bashism("SC3024", "only Bash has `+=`", 'name+="$1"'),
  bashism("SC3030", "only Bash has arrays", "names=(a b)"),
  bashism("SC3037", "elsewhere `echo` prints its options", 'echo -e "a\\tb"'),
  bashism("SC3039", "only Bash has `let`", "let count=1"),
  bashism("SC3040", "not every `sh` has `pipefail`", "set -o pipefail"),
  bashism("SC3045", "only Bash has this option", 'read -r -p "Name: " name; echo "$name"'),
  bashism("SC3046", "only Bash has `source`", "source ./settings.sh"),
  bashism("SC3053", "only Bash has `${!name}`", 'echo "${!1}"'),
  bashism("SC3054", "only Bash has arrays", 'echo "${names[0]}"'),
  bashism("SC3057", "only Bash has `${name:0:3}`", 'name=$1; echo "${name:0:3}"'),
  bashism("SC3059", "only Bash has `${name^^}`", 'name=$1; echo "${name^^}"'),
  bashism("SC3060", "only Bash has `${name/a/b}`", 'name=$1; echo "${name/a/b}"'),
];
