/** A secret that a script prints, or passes as an argument, which every user of the machine can see. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";

const SECRET =
  "\\$\\{?(\\w{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_KEY|APIKEY|PRIVATE_KEY|password|passwd|secret|token|api_key|private_key)|PASS|pass)\\}?(?![\\w:%#])";
const IN_TEXT = new RegExp(SECRET);
/** Options that take a secret as text. */
const ARGUMENT = new RegExp(
  `^(?:mysql\\w*|mariadb)\\s(?:[^|;&\\n]{0,200}\\s)?(?:-p|--password=)["']?${SECRET}|^sshpass\\s+-p\\s*["']?${SECRET}|^curl\\s(?:[^|;&\\n]{0,200}\\s)?(?:-u|--user)[\\s=]*["']?[^\\s"']{0,60}:${SECRET}`,
);
/** The text says where the secret is, or it's a name and not a value. */
const NO_VALUE = /length|\*{3}|redact|mask/i;

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const command of root.findAll({ rule: { kind: "command", regex: "^(?:echo|printf)\\s" } })) {
    const text = command.text();
    const [, name = ""] = IN_TEXT.exec(text) ?? [];
    // Redirected, piped or captured text isn't shown.
    const isTaken = nearestAncestor(command, (node) =>
      /^(?:redirected_statement|pipeline|command_substitution|function_definition|process_substitution)$/.test(
        node.kind(),
      ),
    );
    if (name === "" || isTaken !== null || NO_VALUE.test(text) || /::add-mask::/.test(text)) continue;
    // A script that prints only the value returns it.
    if (new RegExp(`^(?:echo|printf\\s+["']?%s(?:\\\\n)?["']?)\\s+["']?\\$\\{?${name}\\}?["']?$`).test(text))
      continue;
    yield { line: linesOf(command).line, title: `Exposed secret: ${nameOr(name, "it")} is printed` };
  }
  for (const command of root.findAll({
    rule: { kind: "command", regex: "^(?:mysql|mariadb|sshpass|curl)" },
  })) {
    const found = ARGUMENT.exec(command.text().replaceAll("\\\n", " "));
    const name = found?.slice(1).find((each) => each !== undefined);
    if (name === undefined) continue;
    yield {
      line: linesOf(command).line,
      severity: "minor",
      title: `Exposed secret: ${nameOr(name, "it")} is visible in the list of processes`,
    };
  }
}

export const shellSecretShown: TreeRule = {
  kind: "tree",
  id: "shell-secret-shown",
  title: "Exposed secret: it is printed or visible in the list of processes",
  severity: "medium",
  category: "security",
  why: "Output ends up in logs, and arguments of a process are visible to every user of the machine.",
  fix: "Don't print it. Pass it in the environment, on standard input or in a file that only the user can read.",
  languages: ["bash"],
  trigger: /pass|secret|token|key/i,
  check,
};
