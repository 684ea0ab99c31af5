/** `>` where `>>` is meant: a file that others fill as well, or one that a loop writes again in every round. */
import { escapePattern } from "../../base/escape-pattern.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";
import { nearestAncestor } from "../syntax/ancestors.ts";
import { commandName } from "../syntax/shell-statements.ts";

/** Files with entries of others. */
const SHARED =
  /^["']?(?:\/etc\/(?:hosts|fstab|sudoers|environment|passwd|group|profile|crontab|exports|resolv\.conf|ssh\/sshd_config)|(?:~|\$HOME|\$\{HOME\}|\/root)\/\.(?:bashrc|bash_profile|profile|zshrc|zprofile|ssh\/(?:authorized_keys|known_hosts|config)))["']?$/;
const ADDS_ONE = /^(?:echo|printf)\s+["'$\w-]/;

function matchShared(redirect: SyntaxNode): RuleMatch | null {
  const command = redirect.parent()?.text() ?? "";
  const [, target = ""] = /^>\s*(\S+)$/.exec(redirect.text()) ?? [];
  if (!SHARED.test(target) || !ADDS_ONE.test(command)) return null;
  return {
    line: linesOf(redirect).line,
    title: `Overwritten file: \`>\` replaces all of ${nameOr(target.replaceAll(/["']/g, "").replace("~/", ""), "the file")}`,
  };
}

/** A fixed file that the body of a `for` writes anew each time and doesn't read. */
function matchInLoop(redirect: SyntaxNode): RuleMatch | null {
  const [, target = ""] =
    /^>\s*["']?(\$\{?\w+\}?|[\w./-]+\.(?:txt|log|csv|md|json))["']?$/.exec(redirect.text()) ?? [];
  const loop = nearestAncestor(redirect, (node) =>
    /^(?:for_statement|while_statement|function_definition|subshell|command_substitution)$/.test(node.kind()),
  );
  if (target === "" || loop?.kind() !== "for_statement") return null;
  const body = loop.field("body")?.text() ?? "";
  const isSmall = body.length < 2_000;
  const name = /^\$\{?(\w+)/.exec(target)?.[1];
  const changesName =
    name !== undefined &&
    new RegExp(`(?:^|[\\s;(])${name}\\+?=|\\bfor\\s+${name}\\b|\\bread\\b.*\\b${name}\\b`, "m").test(
      loop.text(),
    );
  const uses = body.match(new RegExp(`${escapePattern(target)}(?!\\w)`, "g"))?.length ?? 0;
  if (!isSmall || changesName || uses !== 1 || /\bbreak\b|\bexit\b|\bcd\s|\bpushd\b|\breturn\b/.test(body))
    return null;
  return {
    line: linesOf(redirect).line,
    title: `Overwritten file: each round of the loop replaces ${nameOr(target, "it")}`,
    severity: "major",
  };
}

function* check(root: SyntaxNode): Iterable<RuleMatch> {
  for (const redirect of root.findAll({ rule: { kind: "file_redirect", regex: "^>\\s*[^>&|]" } })) {
    const match = matchShared(redirect) ?? matchInLoop(redirect);
    if (match !== null) yield match;
  }
  for (const pipeline of root.findAll({ rule: { kind: "pipeline", regex: "tee|crontab" } })) {
    const parts = pipeline.namedChildren();
    const last =
      parts
        .at(-1)
        ?.text()
        .replace(/^sudo\s+/, "") ?? "";
    const { line } = linesOf(pipeline);
    const [, target = ""] = /^tee\s+(\S+)(?:\s*>\s*\/dev\/null)?$/.exec(last) ?? [];
    if (!/^(?:echo|printf)$/.test(commandName(parts[0] ?? null))) continue;
    if (SHARED.test(target))
      yield {
        line,
        title: `Overwritten file: \`tee\` without \`-a\` replaces all of ${nameOr(target, "the file")}`,
      };
    else if (/^crontab\s+-$/.test(last))
      yield { line, title: "Overwritten crontab: `crontab -` replaces all entries of the user" };
  }
}

export const shellOverwritesFile: TreeRule = {
  kind: "tree",
  id: "shell-overwrites-file",
  title: "Overwritten file: `>` replaces a file that should be appended to",
  severity: "major",
  category: "correctness",
  why: "`>` empties the file before it writes, so what others or earlier rounds wrote is lost.",
  fix: "Write `>>`, or `tee -a`. For a loop, put the redirection after `done`.",
  languages: ["bash"],
  inTests: false,
  trigger: />|\btee\b|crontab/,
  check,
  examples: {
    bad: [
      bad("setup.sh", 2, '#!/bin/bash\necho "export APP=/opt/app" > ~/.bashrc\n'),
      bad("setup.sh", 2, '#!/bin/bash\necho "10.0.0.5 db" | sudo tee /etc/hosts\n'),
      bad("setup.sh", 2, '#!/bin/bash\necho "0 3 * * * backup" | crontab -\n'),
      bad(
        "report.sh",
        4,
        '#!/bin/bash\nout=report.txt\nfor host in a b; do\n  echo "$host" > "$out"\ndone\n',
      ),
    ],
    good: [
      good(
        "setup.sh",
        '#!/bin/bash\necho "export APP=/opt/app" >> ~/.bashrc\necho "10.0.0.5 db" | sudo tee -a /etc/hosts\n',
      ),
      good(
        "setup.sh",
        '#!/bin/bash\n(crontab -l; echo "0 3 * * * backup") | crontab -\ncat hosts > /etc/hosts\n',
      ),
      good(
        "report.sh",
        '#!/bin/bash\nfor host in a b; do\n  echo "$host" >> "$out"\n  echo x > "$host.txt"\n  make > /dev/null\ndone > all.txt\n',
      ),
      good("report.sh", '#!/bin/bash\nfor host in a b; do\n  curl "$host" > "$tmp"\n  grep x "$tmp"\ndone\n'),
    ],
  },
};
