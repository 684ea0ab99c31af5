/** `kodiai doctor` as an operator runs it, in the folder and with the settings of an app. No run may show a secret. */
import assert from "node:assert/strict";
import type { CheckLine } from "../../../src/doctor/check.ts";
import { runKodiai } from "../run-kodiai.ts";

export type Diagnosed = {
  readonly code: number;
  readonly isHealthy: boolean;
  readonly checks: readonly (Pick<CheckLine, "name" | "state" | "what" | "remedy"> & {
    readonly docs: string | null;
  })[];
  /** "state name anchor" of every line with something to do, in order. */
  readonly troubles: readonly string[];
};

export type DoctorOptions = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly bin?: string;
  readonly uid?: number;
};

/** Parts of these values must not be shown. */
const SECRET_NAMES = /KEY|SECRET|TOKEN|DATABASE_URL/;

/** Short enough to find a secret that was cut, and too long to occur by chance. */
const PART_CHARS = 12;

export async function runDoctor({ args = [], ...run }: DoctorOptions): Promise<Diagnosed> {
  const { env } = run;
  const { code, stdout, stderr } = await runKodiai(["doctor", "--json", ...args], run);
  assertNoSecrets(`${stdout}${stderr}`, env);
  assert.equal(stderr, "");
  const { version, isHealthy, checks } = JSON.parse(stdout) as Diagnosed & { readonly version: number };
  assert.equal(version, 1);
  assert.equal(code, isHealthy ? 0 : 1);
  const troubles = checks
    .filter(({ docs }) => docs !== null)
    .map(({ state, name, docs }) => `${state} ${name} ${docs?.split("#")[1]}`);
  return { code, isHealthy, checks, troubles };
}

export function assertNoSecrets(output: string, env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (!SECRET_NAMES.test(name)) continue;
    for (const secret of secretsIn(value)) {
      assert.ok(!output.includes(secret), `the output has the value of ${name}:\n${output}`);
      for (let at = 0; at + PART_CHARS <= secret.length; at += PART_CHARS)
        assert.ok(!output.includes(secret.slice(at, at + PART_CHARS)), `the output has a part of ${name}`);
    }
  }
}

/** Of an address only the password. A key also as its text. */
function secretsIn(value: string): readonly string[] {
  const url = value.includes("://") ? URL.parse(value) : null;
  if (url !== null) return url.password === "" ? [] : [url.password];
  if (value.startsWith("sqlite:")) return [];
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.includes("PRIVATE KEY") ? [value, text.split("\n").slice(1, -2).join("\n")] : [value];
}
