/** Redirects whose host outside input chooses. A path on the own host is fine. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

export const redirectFromInput: TreeRule = {
  kind: "tree",
  id: "redirect-from-input",
  title: "Open redirect: outside input chooses the target",
  severity: "major",
  proof: "trace",
  category: "security",
  why: "A link to your site can send its users to any other site, such as a copy of your login page.",
  fix: "Accept only paths on your own site (starting with one `/`), or look the target up in a list.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(/[rR]edirect|location|Location|Found|LOCATION/),
  check: checkFlows({
    kind: "redirect",
    outside: "major",
    title: (name) => `Open redirect: ${name} chooses the target`,
  }),
};
