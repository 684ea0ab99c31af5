import { deepEqual } from "node:assert/strict";
import { test } from "node:test";
import type { EcosystemId } from "../ecosystem.ts";
import { gainedAbilities } from "./gained-abilities.ts";

type Case = readonly [ecosystem: EcosystemId, path: string, line: string, expected: readonly string[]];

const CASES: readonly Case[] = [
  ["npm", "lib/a.js", 'const { exec } = require("child_process");', ["shell"]],
  ["npm", "lib/a.mjs", 'import { spawn } from "node:child_process";', ["shell"]],
  ["npm", "lib/a.js", 'const https = require("https");', ["network"]],
  ["npm", "lib/a.js", "const answer = await fetch(url);", ["network"]],
  ["npm", "lib/a.js", "return eval(text);", ["dynamic-code"]],
  ["npm", "lib/a.js", 'import vm from "vm"; export const f = new Function("a", "b");', ["dynamic-code"]],
  // None of these does it.
  ["npm", "lib/a.js", "this.eval(text); cache.fetch(key); medieval(text);", []],
  ["npm", "lib/a.js", '// require("child_process") is gone', []],
  ["npm", "lib/a.d.ts", 'import { spawn } from "node:child_process";', []],
  ["npm", "test/a.js", 'const { exec } = require("child_process");', []],
  ["pypi", "pkg/a.py", "import subprocess", ["shell"]],
  ["pypi", "pkg/a.py", "from urllib.request import urlopen", ["network"]],
  ["pypi", "pkg/a.py", "exec(code)", ["dynamic-code"]],
  ["pypi", "pkg/a.py", "model.eval()", []],
  ["go", "a.go", '\t"os/exec"', ["shell"]],
  ["go", "a.go", 'import "net/http"', ["network"]],
  ["go", "a_test.go", 'import "net/http"', []],
  ["cargo", "src/lib.rs", "use std::process::Command;", ["shell"]],
  ["cargo", "src/lib.rs", "let stream = std::net::TcpStream::connect(a)?;", ["network"]],
  ["maven", "org/a/A.java", "new ProcessBuilder(command).start();", ["shell"]],
  ["rubygems", "lib/a.rb", "system(command)", []],
];

test("abilities that the old version didn't have are found by their imports and calls", () => {
  for (const [ecosystem, path, line, expected] of CASES) {
    const before = new Map([
      [`${path.includes("test") ? "src/b" : "b"}${/\.[a-z]+$/.exec(path)?.[0]}`, "\n"],
    ]);
    const after = new Map([...before, [path, `a\n${line}\n`]]);
    const found = (sides: { before: Map<string, string>; after: Map<string, string> }) =>
      gainedAbilities(ecosystem, sides).flatMap((fact) =>
        fact.kind === "ability-gained" && fact.path === path ? [fact.ability] : [],
      );
    deepEqual(found({ before, after }), expected, line);
    // It could do so before, in another file.
    deepEqual(found({ before: new Map([...before, [`src/old/${path}`, line]]), after }), [], line);
    // Without its code, nothing is known of the old version.
    deepEqual(found({ before: new Map([["package.json", "{}"]]), after }), [], line);
  }
});
