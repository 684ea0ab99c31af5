/** Files and directories made world-writable. Modes passed at creation are ignored, because the umask narrows them. */
import type { AddedLine } from "../../review/change/walk-hunks.ts";
import { bad, good, type FileView, type LineRule, type RuleMatch } from "../rule.ts";
import { isInHeredoc, shellCode, shellCodeQuoted } from "../lines/shell-text.ts";

/** Modes whose last digit or letters let everyone write. A fourth digit such as the 1 of 1777 protects the files. */
const MODE = "(?:0?[0-7]{2}[2367]|(?:a|o|go|uo|ugo)[+=][rxX]{0,3}w[rxX]{0,3})";
const SHELL = new RegExp(
  `(?:^|[\\s;&|(])(?:chmod\\s+(?:-{1,2}[A-Za-z-]{1,20}\\s+){0,4}|(?:install|mkdir)\\s(?:[^;&|]{0,80}\\s)?(?:-m\\s*|--mode[=\\s]))${MODE}(?=\\s)`,
);
/** Targets that may be open to everyone, or that aren't paths. */
const OPEN_TARGET = /^\s+(?:["']?\/tmp\b|["']?\/dev\/|-|$)/;

/** One call per language. Arguments must be on the same line, as they usually are. */
const CALLS: Readonly<Record<string, RegExp>> = {
  python: /\bos\.chmod\([^#]{1,200},\s*0o(?:777|666)\s*\)|\.chmod\(\s*0o(?:777|666)\s*\)/,
  javascript: /\bchmod(?:Sync)?\([^,]{1,200},\s*(?:0o?(?:777|666)|["'](?:0?777|0?666)["'])\s*[,)]/,
  go: /\b(?:os\.Chmod|\.Chmod)\([^,]{1,200},\s*(?:0o?(?:777|666)|os\.ModePerm|fs\.ModePerm)\s*\)/,
  ruby: /\b(?:File|FileUtils)\.chmod(?:_R)?[\s(]\s*(?:0o?(?:777|666)|["'](?:a|o|ugo)\+[rx]{0,2}w[rx]{0,2}["'])\s*,/,
  php: /(?<![>:\w$])chmod\s*\([^,]{1,200},\s*0o?(?:777|666)\s*\)/,
  c: /(?<![.>:\w])f?chmod\s*\([^,]{1,200},\s*0(?:777|666)\s*\)/,
  rust: /\b(?:Permissions::from_mode|set_mode)\(\s*0o(?:777|666)\s*\)/,
  java: /\.setWritable\(\s*true\s*,\s*false\s*\)/,
};
const ALIASES: Readonly<Record<string, string>> = { typescript: "javascript", tsx: "javascript", cpp: "c" };

function check(line: AddedLine, file: FileView): RuleMatch | null {
  if (!/chmod|install|mkdir|set_mode|from_mode|setWritable/i.test(line.text)) return null;
  const { language } = file;
  if (language === "bash" || language === "dockerfile") {
    const code = shellCode(line, file);
    const found = code === null ? null : SHELL.exec(code);
    if (found === null || isInHeredoc(line, file)) return null;
    // Quotes are blank in the code, and the target is often quoted.
    const target = shellCodeQuoted(line, file)?.slice(found.index + found[0].length) ?? "";
    return OPEN_TARGET.test(target) ? null : { line: line.line };
  }
  const found = CALLS[ALIASES[language] ?? language]?.exec(line.text) ?? null;
  if (found === null || isTalkedAbout(line.text.slice(0, found.index))) return null;
  return { line: line.line };
}

/** True when the text before is the start of a comment or an open quote. */
function isTalkedAbout(before: string): boolean {
  if (/^\s*(?:\/\/|\/?\*|#|>>>|"""|''')/.test(before) || /\s(?:\/\/|#)\s/.test(before)) return true;
  return ['"', "'", "`"].some((quote) => (before.split(quote).length - 1) % 2 === 1);
}

export const worldWritablePermission: LineRule = {
  kind: "line",
  id: "world-writable-permission",
  title: "World-writable permissions",
  severity: "medium",
  category: "security",
  why: "Any user or compromised service on the machine can replace the content, which is then read or run with the owner's privileges.",
  fix: "Grant write access only to the owner or a group (755 for directories and programs, 644 for files). If another user must write, change the owner.",
  languages: [
    "bash",
    "dockerfile",
    "python",
    "javascript",
    "typescript",
    "tsx",
    "go",
    "ruby",
    "php",
    "c",
    "cpp",
    "rust",
    "java",
  ],
  inTests: false,
  check,
  examples: {
    bad: [
      bad("deploy.sh", 2, "#!/bin/sh\nsudo chmod -R 777 /srv/app\n"),
      bad("entrypoint.sh", 2, '#!/bin/sh\nchmod -R 777 "$data"\n'),
      bad("setup.sh", 2, "#!/bin/sh\ninstall -d -m 0777 /var/lib/acme\n"),
      bad("setup.sh", 2, "#!/bin/sh\nchmod ugo=rwx /var/lib/acme\n"),
      bad("Dockerfile", 2, "FROM debian:12\nRUN mkdir /data && chmod a+rwx /data\n"),
      bad("app/store.py", 2, "import os\nos.chmod(path, 0o777)\n"),
      bad("src/store.ts", 1, "await fs.chmod(target, 0o666);\n"),
      bad("store.go", 4, "package store\n\nfunc open(p string) error {\n\treturn os.Chmod(p, 0777)\n}\n"),
      bad("lib/store.rb", 1, "FileUtils.chmod_R 0777, path\n"),
      bad("src/store.php", 1, "<?php chmod($path, 0777);\n"),
      bad("src/store.c", 1, "int f(const char *p) { return chmod(p, 0666); }\n"),
    ],
    good: [
      good(
        "deploy.sh",
        "chmod 1777 /srv/spool\nchmod 755 run.sh\n# chmod 777 x\necho 'never chmod 777 it'\n",
      ),
      good("Dockerfile", "FROM debian:12\nRUN chmod 1777 /tmp && chmod a+rx /usr/bin/tool\n"),
      good(
        "app/store.py",
        "# os.chmod(path, 0o777) was too much\nos.makedirs(path, 0o777)\nos.chmod(path, 0o700)\n",
      ),
      good("store.go", "package store\n\nvar _ = os.MkdirAll(p, 0777)\nvar _ = os.Chmod(p, mode)\n"),
      good("src/store.ts", 'log("run chmod(path, 0o777) yourself");\n'),
    ],
  },
};
