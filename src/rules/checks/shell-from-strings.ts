/** Shell commands built from text: critical with outside input in it, major with a value that the caller passes. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

export const shellFromStrings: TreeRule = {
  kind: "tree",
  id: "shell-from-strings",
  title: "Command injection: a value is part of a shell command",
  severity: "critical",
  proof: "trace",
  category: "security",
  why: "A space, quote, semicolon or `$(…)` in the value changes the command or starts another one.",
  fix: "Pass the arguments as a list (`execFile`, `subprocess.run([...])`, `system(cmd, arg)`), or quote the value for the shell.",
  confidence: 0.9,
  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /exec|system|popen|shell|passthru|proc_open|spawn|subprocess|Command|Process|`[^`]*(?:#\{|\$)/i,
  ),
  check: checkFlows({
    kind: "shell",
    outside: "critical",
    title: (name) => `Command injection: ${name} reaches a shell`,
  }),
};
