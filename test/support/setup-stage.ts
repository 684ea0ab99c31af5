/** The stage of the tests of `kodiai setup`: a GitHub without an app, a folder, and visitors of the pages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { parseEnv } from "node:util";
import { type FakeGithub, startFakeGithub } from "../../fake-github/fake-github.ts";
import { decodeText, setupFolder } from "./setup-run.ts";

export async function stage(t: TestContext): Promise<{ readonly fake: FakeGithub; readonly folder: string }> {
  const fake = await startFakeGithub({ slug: "an-app-that-was-there" });
  t.after(async () => {
    await fake.close();
    assert.deepEqual(fake.violations, []);
  });
  return { fake, folder: setupFolder(t) };
}

export const settingsIn = (folder: string, name = ".env"): Readonly<Record<string, string | undefined>> =>
  parseEnv(readFileSync(join(folder, name), "utf8"));

export const conversions = (fake: FakeGithub): number =>
  fake.calls.filter(({ operation }) => operation === "apps/create-from-manifest").length;

/** The status and the heading of a page. */
export async function visit(url: string): Promise<string> {
  const answer = await fetch(url);
  const [, heading = ""] = /<h1>(.*)<\/h1>/.exec(await answer.text()) ?? [];
  return `${answer.status} ${decodeText(heading)}`;
}

/** With a Host header of the visitor's choice. */
export function visitAs(host: string, url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}
