/** `kodiai setup` in a process of its own against a fake GitHub, and a person who confirms the app without a browser. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { FakeGithub } from "../../fake-github/fake-github.ts";
import { BIN } from "./built-program.ts";
import { eventually } from "./eventually.ts";

export type SetupRun = {
  /** Everything that it has printed. */
  output(): string;
  /** Waits until it has printed this. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  /** The newest address of the page. */
  startUrl(): Promise<string>;
  interrupt(): void;
  readonly ended: Promise<number>;
};

export type SetupRequest = {
  readonly folder: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string;
};

export function setupFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-setup-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const PUBLIC_URL = ["--public-url", "https://kodiai.example.org"];

export function startSetup(
  t: TestContext,
  fake: Pick<FakeGithub, "gitUrl">,
  { folder, args = PUBLIC_URL, env = {}, input = "" }: SetupRequest,
): SetupRun {
  const child = spawn(process.execPath, [BIN, "setup", "--url", fake.gitUrl, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, ...env },
  });
  t.after(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  let code: number | null = null;
  const ended = new Promise<number>((resolve) => {
    child.on("close", (status) => resolve((code = status ?? -1)));
  });
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    eventually(String(pattern), () => {
      const match = pattern.exec(output);
      assert.ok(match !== null || code === null, `it ended with ${String(code)}:\n${output}`);
      return match;
    });
  return {
    output: () => output,
    until,
    startUrl: async () => (await until(/(?:your browser|shows this page): (\S+)\n/))[1] ?? "",
    interrupt: () => void child.kill("SIGINT"),
    ended,
  };
}

/** The text of escaped HTML. */
export const decodeText = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));

export type ConfirmedApp = {
  /** The address that GitHub sends the browser to. */
  readonly callbackUrl: string;
  readonly manifest: Readonly<Record<string, unknown>>;
};

/** Opens the page, and confirms the app on the fake's page. */
export async function confirmApp(startUrl: string, name: string | null = null): Promise<ConfirmedApp> {
  const html = await (await fetch(startUrl)).text();
  const action = decodeText(/action="([^"]+)"/.exec(html)?.[1] ?? assert.fail(html));
  const manifest = decodeText(/name="manifest" value="([^"]+)"/.exec(html)?.[1] ?? assert.fail(html));
  const shown = await fetch(action, { method: "POST", body: new URLSearchParams({ manifest }) });
  assert.equal(shown.status, 200, await shown.text());
  const state = new URL(action).searchParams.get("state") ?? "";
  const proposed = JSON.parse(manifest) as { readonly name: string };
  const confirmed = await fetch(action.replace(/new\?.*$/, "confirm"), {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ manifest, state, name: name ?? proposed.name }),
  });
  const callbackUrl = confirmed.headers.get("location") ?? assert.fail(await confirmed.text());
  return { callbackUrl, manifest: proposed };
}

/** Installs the app on all repositories of its owner, as GitHub's page does. */
export async function installOnAll(fake: FakeGithub): Promise<void> {
  const url = `${fake.gitUrl}/apps/${fake.world.app.slug}/installations/new`;
  assert.equal((await fetch(url, { method: "POST", redirect: "manual" })).status, 302);
}
