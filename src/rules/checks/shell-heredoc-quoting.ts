/** Here-documents whose variables are replaced too early, or never. */
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** A script in a here-document is run later or by another shell. */
const RUN_LATER =
  /^(?:sudo\s+)?(?:(?:ssh|bash|sh|su|docker|kubectl)\s|(?:bash|sh)$|(?:cat|tee)\b.*(?:\.sh\b|\/s?bin\/|init\.d|hooks\/))/;
const SETS =
  /^[ \t]*(?:(?:local|export|readonly) )?([A-Za-z_]\w*)=(?!\$\{?\1\b)|^[ \t]*for[ \t]+([A-Za-z_]\w*)[ \t]+in\b|\bread[ \t]+(?:-r[ \t]+)?([A-Za-z_]\w*)[ \t]*(?:;|$)/gm;
/** Files whose format has no variables of its own. */
const PLAIN_FILE =
  /(?:>|\btee\b)\s*\S*\.(?:json|ya?ml|ini|toml|txt|html|service|properties|xml|cfg|conf|sql)\b/;
const MAX_SHOWN_LINES = 10;

type Document = {
  readonly start: number;
  readonly isQuoted: boolean;
  readonly command: string;
  readonly body: string;
};

function documentsIn(root: SyntaxNode): readonly Document[] {
  return root.findAll({ rule: { kind: "heredoc_redirect" } }).flatMap((redirect) => {
    const parts = redirect.children();
    const start = parts.find((part) => part.kind() === "heredoc_start");
    const body = parts.find((part) => part.kind() === "heredoc_body");
    if (start === undefined || body === undefined) return [];
    const whole = redirect.parent()?.text() ?? "";
    const firstLine = whole.split("\n", 1)[0] ?? "";
    return [
      {
        start: linesOf(start).line,
        isQuoted: /["'\\]/.test(start.text()),
        command: firstLine,
        body: body.text(),
      },
    ];
  });
}

function namesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(SETS), (found) => found[1] ?? found[2] ?? found[3] ?? "");
}

/** A variable that the script in the here-document sets and uses, with the line of the use. */
function replacedTooEarly(
  { start, command, body }: Document,
  outside: ReadonlySet<string>,
): RuleMatch | null {
  if (!/^#!.*sh\b/.test(body) && !RUN_LATER.test(command)) return null;
  for (const name of namesIn(body)) {
    if (outside.has(name) || new RegExp(`\\\\\\$\\{?${name}\\b`).test(body)) continue;
    const use = body
      .split("\n")
      .findIndex((line) => new RegExp(`(?<!\\\\)\\$\\{?${name}\\b`).test(line) && !/^\s*#/.test(line));
    if (use === -1) continue;
    const line = start + 1 + use;
    return {
      line: start,
      endLine: use < MAX_SHOWN_LINES - 1 ? line : start,
      title: `Variable replaced too early: ${nameOr(name, "it")} is replaced before the script runs`,
    };
  }
  return null;
}

/** A variable of the script in a here-document that replaces none. */
function neverReplaced({ start, command, body }: Document, before: ReadonlySet<string>): RuleMatch | null {
  if (!PLAIN_FILE.test(command) || body.startsWith("#!") || RUN_LATER.test(command)) return null;
  const own = new Set(namesIn(body));
  const used = Array.from(body.matchAll(/(?<![\\$])\$\{([A-Za-z_]\w*)\}/g), (found) => found[1] ?? "");
  const name = used.find((each) => before.has(each) && !own.has(each));
  return name === undefined
    ? null
    : { line: start, title: `Variable never replaced: ${nameOr(name, "it")} is in a quoted here-document` };
}

function* check(root: SyntaxNode, { lines }: FileView): Iterable<RuleMatch> {
  if (lines === null) return;
  const documents = documentsIn(root);
  const replacesLater = lines.some((line) => /\benvsubst\b|\beval\b|\bsed\b.*\$\\?\{/.test(line));
  for (const document of documents) {
    const { start, isQuoted, body } = document;
    const end = start + body.split("\n").length;
    const found = isQuoted
      ? replacesLater
        ? null
        : neverReplaced(document, new Set(namesIn(lines.slice(0, start - 1).join("\n"))))
      : replacedTooEarly(
          document,
          new Set(namesIn([...lines.slice(0, start), ...lines.slice(end)].join("\n"))),
        );
    if (found !== null) yield found;
  }
}

export const shellHeredocQuoting: TreeRule = {
  kind: "tree",
  id: "shell-heredoc-quoting",
  title: "Variable replaced too early or never in a here-document",
  severity: "major",
  category: "correctness",
  why: "Without quotes around the word after `<<`, the shell replaces variables now, with the values they have here. With quotes it replaces none.",
  fix: "For a script that runs later, write `<<'EOF'` or `\\$name`. To fill in values, write `<<EOF`.",
  languages: ["bash"],
  inTests: false,
  trigger: /<<|\$/,
  check,
  examples: {
    bad: [
      bad(
        "setup.sh",
        2,
        '#!/bin/bash\ncat > /usr/local/bin/rotate <<EOF\n#!/bin/bash\nfor file in *.log; do\n  gzip "$file"\ndone\nEOF\n',
      ),
      bad("run.sh", 2, '#!/bin/bash\nssh web <<EOF\ncurrent=$(readlink current)\necho "$current"\nEOF\n'),
      bad("site.sh", 3, "#!/bin/bash\ndomain=$1\ncat > site.conf <<'EOF'\nserver_name ${domain};\nEOF\n"),
    ],
    good: [
      good(
        "setup.sh",
        "#!/bin/bash\ncat > /usr/local/bin/rotate <<'EOF'\n#!/bin/bash\nfor file in *.log; do gzip \"$file\"; done\nEOF\n",
      ),
      good(
        "setup.sh",
        '#!/bin/bash\ncat > run.sh <<EOF\n#!/bin/bash\nHOME_DIR=$HOME\necho "\\$HOME_DIR"\nEOF\n',
      ),
      good("run.sh", '#!/bin/bash\nname=$1\nssh web <<EOF\nexport name=$name\necho "$name"\nEOF\n'),
      good("site.sh", "#!/bin/bash\ndomain=$1\ncat > site.conf <<EOF\nserver_name ${domain};\nEOF\n"),
      good(
        "site.sh",
        "#!/bin/bash\ndomain=$1\ncat > site.tpl.conf <<'EOF'\nserver_name ${domain};\nEOF\nenvsubst < site.tpl.conf > site.conf\n",
      ),
    ],
  },
};
