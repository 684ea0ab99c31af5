/** Outside input that becomes HTML unescaped. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { TreeRule } from "../rule.ts";

const NOT_HTML = /content-type:\s*(?:text\/(?:plain|csv)|application\/(?!xhtml))/i;

export const htmlFromInput: TreeRule = {
  kind: "tree",
  id: "html-from-input",
  title: "Cross-site scripting: outside input is inserted as HTML",
  severity: "must-fix",
  proof: "trace",
  category: "security",
  why: "A crafted link or form can put a script into this value, which then runs in the session of the user who opens it.",
  fix: "Insert it as text (`textContent`, a JSX child, a template variable), or escape it for HTML first.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /innerHTML|outerHTML|srcdoc|[wW]rite|insertAdjacentHTML|__html|html|HTML|Html|mark_safe|Markup|\bsend\b|echo|print|Fprint|return\b[^\n"'`]{0,200}["'`]|<\/[a-z]|["'`]\s{0,8}<[a-z]|Content|<\?=|exit|die/,
  ),
  check: checkFlows({
    kind: "html",
    outside: "must-fix",
    title: (name) => `Cross-site scripting: ${name} is inserted as HTML`,
    // Browsers don't parse plain text or JSON as HTML.
    isWanted: (_flow, file) =>
      file.language !== "php" || file.lines?.some((line) => NOT_HTML.test(line)) !== true,
  }),
};
