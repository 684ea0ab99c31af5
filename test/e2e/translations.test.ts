/** Translations next to unchanged files of other languages, from a real repository to the findings of the command line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runKodiai } from "../support/run-kodiai.ts";
import { testRepository } from "../support/test-repository.ts";

const KEYS = Array.from({ length: 12 }, (_, index) => `key${index}`);

function texts(more: Readonly<Record<string, string>> = {}): string {
  const all = Object.fromEntries(KEYS.map((key) => [key, key]));
  return `${JSON.stringify({ ...all, ...more }, null, 2)}\n`;
}

type Output = {
  readonly findings: readonly { readonly rule: string; readonly path: string; readonly startLine: number }[];
  readonly receipt: { readonly gaps: readonly { readonly check: string; readonly reason: string }[] };
};

test("translations are compared with languages that the change doesn't touch", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  for (const language of ["en", "de", "fr", "sv"])
    made.write(`src/locales/${language}.json`, texts({ hello: "{name}!" }));
  made.commit("root");
  made.write("src/locales/de.json", texts({ hello: "Hallo {benutzer}" }));
  made.commit("German");
  const run = async (...args: readonly string[]): Promise<Output> => {
    const options = { cwd: made.path, input: made.git("show", "--format=", "HEAD") };
    const { stdout } = await runKodiai(
      ["review", "--no-memory", "--offline", "-f", "json", ...args],
      options,
    );
    return JSON.parse(stdout) as Output;
  };
  const placesOf = ({ findings }: Output): readonly string[] =>
    findings.map(({ rule, path, startLine }) => `${rule} ${path}:${startLine}`);
  assert.deepEqual(placesOf(await run("--commit", "HEAD")), ["locale-placeholder src/locales/de.json:14"]);
  const diff = await run("--diff", "-");
  assert.deepEqual(placesOf(diff), []);
  assert.deepEqual(
    diff.receipt.gaps.filter(({ check }) => /languages/.test(check)).map(({ reason }) => reason),
    ["off"],
  );
});

test("letters of another script are reported once for a file, and only where the change wrote them", async (t) => {
  const made = testRepository();
  t.after(() => made.remove());
  const chinese = Object.fromEntries(KEYS.flatMap((key) => [key, `${key}b`]).map((key) => [key, "设备设置"]));
  const write = (language: string, all: Readonly<Record<string, string>>): void =>
    made.write(`src/locales/${language}.json`, `${JSON.stringify(all, null, 2)}\n`);
  write("en", { open: "Open", close: "Close", old: "Old" });
  write("bg", { old: "Старa" });
  write("zh-CN", { ...chinese, old: "舊的設備" });
  made.commit("root");
  write("bg", { open: "Oтвори", close: "Затвoри", old: "Старa" });
  write("zh-CN", { ...chinese, open: "開啟設備", old: "舊的設備" });
  made.commit("more texts");
  const { stdout } = await runKodiai(
    ["review", "--no-memory", "--offline", "-f", "json", "--commit", "HEAD"],
    { cwd: made.path },
  );
  const { findings } = JSON.parse(stdout) as Output;
  assert.deepEqual(
    findings.map(({ rule, path, startLine }) => `${rule} ${path}:${startLine}`),
    ["locale-script src/locales/bg.json:2", "locale-script src/locales/zh-CN.json:26"],
  );
  assert.match(JSON.stringify(findings[0]), /line 3/);
});
