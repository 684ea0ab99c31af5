/** Files that outside input chooses. A base name, a list of files, or a check of the folder ends the flow. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

export const pathFromInput: TreeRule = {
  kind: "tree",
  id: "path-from-input",
  title: "Path traversal: outside input chooses the file",
  severity: "must-fix",
  proof: "trace",
  category: "security",
  why: "A path such as `../../etc/passwd` reads, overwrites or runs files outside the intended folder.",
  fix: "Resolve the path and check that it is inside the folder, use only the base name, or map the value to a fixed list of files.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /[fF]ile|open|Open|read|Read|write|Write|unlink|remove|Remove|include|require|Path|path|fs\b|send_|Stream|rename|copy|Copy|delete|Delete/,
  ),
  check: checkFlows({
    kind: "path",
    outside: "must-fix",
    title: (name) => `Path traversal: ${name} chooses the file`,
  }),
};
