/** Shell commands built from text: critical with outside input in it, major with a value that the caller passes. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import { bad, good, type TreeRule } from "../rule.ts";

export const shellFromStrings: TreeRule = {
  kind: "tree",
  id: "shell-from-strings",
  title: "Command injection: a value is part of a shell command",
  severity: "critical",
  category: "security",
  why: "A space, quote, semicolon or `$(…)` in the value changes the command or starts another one.",
  fix: "Pass the arguments as a list (`execFile`, `subprocess.run([...])`, `system(cmd, arg)`), or quote the value for the shell.",
  confidence: 0.9,
  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /exec|system|popen|shell|passthru|proc_open|spawn|subprocess|Command|Process|`[^`]*(?:#\{|\$)/i,
  ),
  check: checkFlows({
    kind: "shell",
    outside: "critical",
    title: (name) => `Command injection: ${name} reaches a shell`,
  }),
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
      bad(
        "src/ping.ts",
        5,
        "import { exec } from 'child_process';\n\napp.post('/ping', (req, res) => {\n  const { host } = req.body;\n  exec('ping -c 1 ' + host, (error, out) => res.send(out));\n});\n",
      ),
      bad(
        "src/spawn.js",
        4,
        "const { spawn } = require('node:child_process');\n\nmodule.exports = (req, res) => {\n  spawn('sh', ['-c', `convert ${req.query.file} out.png`]);\n};\n",
      ),
      bad(
        "app/api.py",
        6,
        "import subprocess\n\n@app.route('/dns')\ndef dns():\n    host = request.args.get('host')\n    return subprocess.check_output('dig ' + host, shell=True)\n",
      ),
      bad(
        "app/fast.py",
        5,
        "import os\n\n@router.get('/zip')\nasync def zip_folder(folder: str):\n    os.system('zip -r out.zip {}'.format(folder))\n",
      ),
      bad(
        "ping_handler.go",
        7,
        'package main\n\nimport "os/exec"\n\nfunc ping(w http.ResponseWriter, r *http.Request) {\n\thost := r.FormValue("host")\n\tout, err := exec.Command("sh", "-c", "ping -c 1 "+host).Output()\n\tuse(out, err)\n}\n',
      ),
      bad(
        "src/PingController.java",
        4,
        'class PingController {\n  @GetMapping("/ping")\n  void ping(@RequestParam String host) throws IOException {\n    Runtime.getRuntime().exec("ping -c 1 " + host);\n  }\n}\n',
      ),
      bad(
        "src/Build.java",
        3,
        'class Build {\n  void run(HttpServletRequest request) throws IOException {\n    new ProcessBuilder("bash", "-c", "make " + request.getParameter("target")).start();\n  }\n}\n',
      ),
      bad(
        "ToolsController.cs",
        4,
        'public class ToolsController : Controller {\n  [HttpPost]\n  public IActionResult Ping([FromForm] string host) {\n    Process.Start("cmd.exe", "/c ping " + host);\n    return Ok();\n  }\n}\n',
      ),
      bad(
        "app/controllers/tools_controller.rb",
        3,
        "class ToolsController < ApplicationController\n  def ping\n    render plain: `ping -c 1 #{params[:host]}`\n  end\nend\n",
      ),
      bad("tool.php", 2, "<?php\necho htmlspecialchars(shell_exec(\"nslookup {$_POST['host']}\"));\n"),
      bad(
        "src/tools.rs",
        2,
        'async fn ping(Query(q): Query<Ping>) -> String {\n    let out = Command::new("sh").arg("-c").arg(format!("ping -c 1 {}", q.host)).output().await.unwrap();\n    String::from_utf8_lossy(&out.stdout).to_string()\n}\n',
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
      good(
        "src/ping.ts",
        "import { exec, execFile } from 'child_process';\n\napp.post('/ping', (req, res) => {\n  if (!/^[\\w.-]+$/.test(req.body.host)) return res.sendStatus(400);\n  exec('ping -c 1 ' + req.body.host);\n  execFile('ping', ['-c', '1', req.query.host]);\n});\n",
      ),
      good(
        "src/pattern.js",
        "const { exec } = require('child_process');\nmodule.exports = (req) => {\n  const port = Number(req.query.port);\n  exec(`lsof -i :${port}`);\n  return pattern.exec(req.query.text);\n};\n",
      ),
      good(
        "app/api.py",
        "import subprocess, shlex\n\n@app.route('/dns')\ndef dns():\n    host = shlex.quote(request.args['host'])\n    subprocess.run(['dig', request.args['host']])\n    return subprocess.check_output('dig ' + host, shell=True)\n",
      ),
      good(
        "ping.go",
        'package main\n\nfunc ping(w http.ResponseWriter, r *http.Request) {\n\tout, err := exec.Command("ping", "-c", "1", r.FormValue("host")).Output()\n\tuse(out, err)\n}\n',
      ),
      good(
        "src/Ping.java",
        'class Ping {\n  void ping(HttpServletRequest request) throws IOException {\n    new ProcessBuilder("ping", "-c", "1", request.getParameter("host")).start();\n    Runtime.getRuntime().exec("ping -c 1 localhost");\n  }\n}\n',
      ),
      good(
        "app/controllers/tools_controller.rb",
        "class ToolsController < ApplicationController\n  def ping\n    system('ping', '-c', '1', params[:host])\n    render plain: `ping -c 1 #{Shellwords.escape(params[:host])}`\n  end\nend\n",
      ),
      good(
        "src/tools.rs",
        'async fn ping(Query(q): Query<Ping>) -> String {\n    let out = Command::new("ping").arg("-c").arg("1").arg(&q.host).output().await.unwrap();\n    String::from_utf8_lossy(&out.stdout).to_string()\n}\n',
      ),
    ],
  },
};
