/** Outgoing requests whose host outside input chooses. A path on a fixed host is fine. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

export const requestFromInput: TreeRule = {
  kind: "tree",
  id: "request-from-input",
  title: "Server-side request forgery: outside input chooses the URL",
  severity: "must-fix",
  proof: "trace",
  category: "security",
  why: "Anyone can make this server send requests to internal services or to the cloud's metadata address, and may read the answers.",
  fix: "Look the host up in a list of allowed hosts, or keep the host fixed and pass only a path or an id.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /fetch|axios|got\b|http|Http|HTTP|request|urlopen|urlretrieve|URL|URI|client|Client|curl|rest|Rest/,
  ),
  check: checkFlows({
    kind: "request",
    outside: "must-fix",
    title: (name) => `Server-side request forgery: ${name} chooses the URL`,
  }),
};
