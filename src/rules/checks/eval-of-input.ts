/** Outside input that is run as code or compiled as a template. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

export const evalOfInput: TreeRule = {
  kind: "tree",
  id: "eval-of-input",
  title: "Code injection: untrusted input is evaluated",
  severity: "critical",
  proof: "trace",
  category: "security",
  why: "Anyone who controls the input can run arbitrary code with this program's privileges.",
  fix: "Parse the value (`JSON.parse`, `ast.literal_eval`, a table of allowed names) instead of evaluating it, and pass it to templates as data.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /[eE]val|exec|\bFunction\b|runIn|assert|create_function|setTimeout|setInterval|constantize|send\b|parseExpression|render_template_string|from_string|import_module|call_user_func|inline:/,
  ),
  check: checkFlows({
    kind: "eval",
    outside: "critical",
    title: (name) => `Code injection: ${name} is evaluated as code`,
  }),
};
