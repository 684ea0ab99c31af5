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
  cannotKnow:
    "One part of a request's address holds no slash where the framework decodes the address before it divides it (Flask, FastAPI, gin, gorilla/mux, Laravel, Symfony), leaves it encoded (chi, fiber, ASP.NET), or refuses such a request (Spring and JAX-RS on Tomcat or Jetty). Such a part isn't reported. Express, Koa, Rails, axum, actix, aiohttp, WebFlux, Quarkus and Go's own router decode a part after they have found it, so there it is. The rule can't know a route of several parts that another file declares, a server with other settings, a backslash on Windows, or `..` as the whole part.",

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
