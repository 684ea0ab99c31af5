import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { findUnknownSettings, KNOWN_SETTINGS } from "./known-settings.ts";

const root = dirname(dirname(import.meta.dirname));

test("every variable that the program reads is known, and every known one is read", () => {
  const sources = globSync(["src/**/*.ts", "bin/*.js"], { cwd: root }).filter(
    (path) => !path.endsWith(".test.ts") && !path.endsWith("known-settings.ts"),
  );
  const read = new Set(
    sources.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/"(KODIAI_[A-Z_]*[A-Z])"/g)].map(
        ([, name = ""]) => name,
      ),
    ),
  );
  assert.deepEqual([...read].toSorted(), KNOWN_SETTINGS.toSorted());
});

test("an unknown name is found with the nearest one, in the environment and in .env", () => {
  const environment = { KODIAI_MODLE: "x", KODIAI_MODEL: "floor", KODIAI_WEATHER_REPORT_URL: "", PATH: "/" };
  assert.deepEqual(findUnknownSettings({ environment, dotEnv: "KODIAI_CACHE_BG=3\nOTHER=1\n" }), [
    { name: "KODIAI_CACHE_BG", nearest: "KODIAI_CACHE_GB" },
    { name: "KODIAI_MODLE", nearest: "KODIAI_MODEL" },
    { name: "KODIAI_WEATHER_REPORT_URL", nearest: null },
  ]);
  const files = { KODIAI_METRICS_TOKEN_FILE: "/run/secrets/token", KODIAI_MODEL_FILE: "/run/model" };
  assert.deepEqual(findUnknownSettings({ environment: files, dotEnv: null }), [
    { name: "KODIAI_MODEL_FILE", nearest: null },
  ]);
  const lower = { environment: { kodiai_model: "floor" }, dotEnv: null };
  assert.deepEqual(findUnknownSettings(lower), [{ name: "kodiai_model", nearest: "KODIAI_MODEL" }]);
});
