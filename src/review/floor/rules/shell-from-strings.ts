/** Shell commands with interpolated values. Constants and quoted values are fine. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type Piece, piecesOf } from "../syntax/built-text.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import { type FileFacts, factsOf } from "../file-facts.ts";
import { isKnownValue } from "../syntax/known-value.ts";
import { bad, type FileView, good, linesOf, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

/** The project's own scripts, which developers run with their own values. */
const OWN_SCRIPT =
  /(?:^|\/)(?:\.github|\.circleci|scripts?|tools?|build|bin|ci|tasks?|benchmarks?|bench|examples?|docs?|release|hack|dev|maintenance|packaging|support|contrib|extras?)\/|^utils?\/|\.config\.\w+$|(?:^|\/)(?:gulpfile|gruntfile|rakefile|setup\.py|fabfile|noxfile|tasks\.py|conftest)|\.rake$/i;

/** A placeholder with such a name is a program or folder that the code chose. */
const OWN_NAME =
  /^(?:cmd|command|bin|binary|exe|python|node|npm|npx|yarn|git|shell|prog|program|compiler|cc|make|sudo|flags|opts|options|args|root|rootDir|cwd|dirname|tmp\w*|version)$/i;

const CHILD_PROCESS = /child_process/;

/** The expression that a shell parses, or null when the call starts no shell. */
function commandOf(call: Call, facts: FileFacts): SyntaxNode | null {
  const [first, second, third] = call.args;
  switch (facts.language) {
    case "python":
      if (call.receiver === "os" && /^(system|popen)$/.test(call.name)) return first ?? null;
      if (!/^(run|call|Popen|check_call|check_output|getoutput|getstatusoutput)$/.test(call.name))
        return null;
      if (call.receiver === "subprocess" && /^get(?:status)?output$/.test(call.name)) return first ?? null;
      return call.args.some((arg) => /^shell\s*=\s*True$/.test(arg.text())) ? (first ?? null) : null;
    case "ruby":
      return /^(system|exec|spawn)$/.test(call.name) && call.receiver === "" && call.args.length === 1
        ? (first ?? null)
        : null;
    case "php":
      return /^(exec|shell_exec|system|passthru|popen|proc_open)$/.test(call.name) && call.receiver === ""
        ? (first ?? null)
        : null;
    case "go":
      if (call.receiver !== "exec" || call.name !== "Command" || second?.text() !== '"-c"') return null;
      return /^"(?:\/bin\/)?(?:ba)?sh"$/.test(first?.text() ?? "") ? (third ?? null) : null;
    case "java":
      return call.name === "exec" &&
        /untime/.test(call.receiver) &&
        /^"?(?:\/bin\/)?(?:ba)?sh -c|cmd(?:\.exe)? \/c/i.test(first?.text().slice(1) ?? "")
        ? (first ?? null)
        : null;
    default:
      if (!facts.holds(CHILD_PROCESS) || !/^exec(?:Sync|Async|Promise|P)?$/.test(call.name)) return null;
      return /^(?:|cp|child_process|childProcess|ChildProcess)$/.test(call.receiver) ? (first ?? null) : null;
  }
}

function interpolatedValue(pieces: readonly Piece[], facts: FileFacts): SyntaxNode | null {
  if (!pieces.some((piece) => piece.kind === "text" && /[a-z]/i.test(piece.text))) return null;
  for (const [index, piece] of pieces.entries()) {
    // The first piece is the program, which the code chose.
    if (piece.kind === "text" || index === 0) continue;
    const name = /\w+$/.exec(piece.node.text())?.[0] ?? "";
    if (!OWN_NAME.test(name) && !isKnownValue(piece.node, facts)) return piece.node;
  }
  return null;
}

function* check(root: SyntaxNode, file: FileView): Iterable<RuleMatch> {
  if (OWN_SCRIPT.test(file.path)) return;
  const facts = factsOf(root, file.language);
  const commands: SyntaxNode[] = [];
  for (const call of callsIn(root, file.language, (name) =>
    /exec|system|popen|run|call|check_|output|passthru|proc_open|spawn|Command/i.test(name),
  )) {
    const command = commandOf(call, facts);
    if (command !== null) commands.push(...commandsBehind(command, facts));
  }
  const kind = { ruby: "subshell", php: "shell_command_expression" }[file.language];
  for (const command of kind === undefined ? commands : [...commands, ...root.findAll({ rule: { kind } })]) {
    const value = interpolatedValue(piecesOf(command), facts);
    if (value !== null)
      yield {
        line: linesOf(value).line,
        title: `Command injection: ${nameOr(value.text(), "a value")} is part of a shell command`,
        detail: `The shell parses \`${value.text().slice(0, 60).replaceAll("`", "'").replaceAll("\n", " ")}\` as part of the command.`,
      };
  }
}

function commandsBehind(arg: SyntaxNode, facts: FileFacts): readonly SyntaxNode[] {
  const name = arg.text();
  if (!/^\$?[A-Za-z_]\w*$/.test(name)) return [arg];
  return facts
    .assignedBefore(arg, name)
    .slice(-1)
    .map(({ value }) => value);
}

export const shellFromStrings: TreeRule = {
  kind: "tree",
  id: "shell-from-strings",
  title: "Command injection: a value is part of a shell command",
  severity: "must-fix",
  category: "security",
  why: "A space, quote, semicolon or `$(…)` in the value changes the command or starts another one.",
  fix: "Pass the arguments as a list (`execFile`, `subprocess.run([...])`, `system(cmd, arg)`), or quote the value for the shell.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "ruby", "php", "go", "java"],
  inTests: false,
  trigger: /exec|system|popen|shell|passthru|proc_open|spawn|subprocess|Command\(|`[^`]*(?:#\{|\$)/i,
  check,
  examples: {
    bad: [
      bad(
        "src/git.ts",
        3,
        'import { exec } from "node:child_process";\nexport function log(branch: string) {\n  exec(`git log ${branch}`, () => undefined);\n}\n',
      ),
      bad(
        "src/zip.js",
        3,
        'const cp = require("child_process");\nfunction zip(name) {\n  cp.execSync("zip out.zip " + name);\n}\n',
      ),
      bad("app/ping.py", 4, 'import os\n\ndef ping(host):\n    os.system(f"ping -c 1 {host}")\n'),
      bad(
        "app/list.py",
        4,
        'import subprocess\n\ndef show(path):\n    subprocess.run("ls -l %s" % path, shell=True)\n',
      ),
      bad("lib/ping.rb", 2, 'def ping(host)\n  system("ping -c 1 #{host}")\nend\n'),
      bad("lib/show.rb", 2, "def show(host)\n  `dig #{host}`\nend\n"),
      bad("ping.php", 3, "<?php\nfunction ping($host) {\n  return shell_exec('ping -c 1 ' . $host);\n}\n"),
      bad(
        "ping.go",
        6,
        'package main\n\nimport "os/exec"\n\nfunc ping(host string) error {\n\treturn exec.Command("sh", "-c", "ping -c 1 "+host).Run()\n}\n',
      ),
      bad(
        "src/Ping.java",
        3,
        'class Ping {\n  void ping(String host) throws IOException {\n    Runtime.getRuntime().exec("sh -c ping " + host);\n  }\n}\n',
      ),
    ],
    good: [
      good(
        "src/git.ts",
        'import { execFile } from "node:child_process";\nexport function log(branch: string) {\n  execFile("git", ["log", branch], () => undefined);\n}\n',
      ),
      good(
        "src/match.ts",
        "export function find(text: string, word: string) {\n  return /x/.exec(`git log ${word}`) ?? db.exec(`VACUUM ${word}`);\n}\n",
      ),
      good(
        "src/constant.ts",
        'import { execSync } from "node:child_process";\nconst DEPTH = 3;\nexport const log = () => execSync(`git log -n ${DEPTH} ${__dirname}`);\n',
      ),
      good(
        "scripts/release.js",
        'const { execSync } = require("child_process");\nfunction tag(version) {\n  execSync(`git tag v${version}`);\n}\n',
      ),
      good(
        "app/ping.py",
        'import subprocess\n\ndef ping(host):\n    subprocess.run(["ping", "-c", "1", host])\n',
      ),
      good(
        "app/quoted.py",
        'import os, shlex\n\ndef ping(host):\n    os.system(f"ping -c 1 {shlex.quote(host)}")\n',
      ),
      good("lib/ping.rb", 'def ping(host)\n  system("ping", "-c", "1", host)\nend\n'),
      good(
        "ping.php",
        "<?php\nfunction ping($host) {\n  return shell_exec('ping -c 1 ' . escapeshellarg($host));\n}\n",
      ),
    ],
  },
};
