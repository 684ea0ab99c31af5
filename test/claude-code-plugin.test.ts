/** The Claude Code plugin and the pi extension have the program's version, and name only what exists. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { runKodiai } from "./support/run-kodiai.ts";

const ROOT = dirname(import.meta.dirname);

test("the plugin, its marketplace and the pi extension have the program's version", () => {
  const versionOf = (path: string): unknown =>
    (JSON.parse(readFileSync(join(ROOT, path), "utf8")) as { version: unknown }).version;
  const version = versionOf("package.json");
  assert.equal(versionOf("integrations/claude-code/.claude-plugin/plugin.json"), version);
  assert.equal(versionOf("integrations/pi/package.json"), version);
});

test("the integrations and the documentation name only options that exist", async () => {
  const optionsOf = async (command: string): Promise<ReadonlySet<string>> =>
    namesIn((await runKodiai([command, "--help"], { cwd: ROOT })).stdout);
  const known = new Set([...(await optionsOf("deep-review")), ...(await optionsOf("mcp"))]);
  const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
  const commandLine = /^## `kodiai pack`$.*?(?=^## `kodiai deps`$)/ms.exec(read("docs/command-line.md"));
  const texts = {
    command: read("integrations/claude-code/commands/deep-review.md"),
    pi: /^## Use$.*/ms.exec(read("integrations/pi/README.md"))?.[0] ?? "",
    documentation: read("docs/deep-review.md"),
    commandLine: commandLine?.[0] ?? "",
  };
  for (const [name, text] of Object.entries(texts)) {
    const used = namesIn(text);
    assert.ok(used.size >= 3, name);
    assert.deepEqual(
      [...used.difference(known)].filter((option) => !ELSEWHERE.has(option)),
      [],
      name,
    );
  }
  const documented = namesIn(texts.commandLine);
  assert.deepEqual([...(await optionsOf("deep-review")).difference(documented)], ["--help"]);
  const { args } = (JSON.parse(read("integrations/claude-code/.mcp.json")) as Servers).mcpServers.kodiai;
  assert.deepEqual(args, ["mcp"]);
});

type Servers = { readonly mcpServers: { readonly kodiai: { readonly args: readonly string[] } } };

/** Options of pi and of `kodiai review`, and the form of an option. */
const ELSEWHERE: ReadonlySet<string> = new Set(["--print", "--name", "--fail-on"]);

function namesIn(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g), ([name]) => name));
}
