import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import { readEmbeddingSettings } from "./embedding-settings.ts";

type Environment = Readonly<Record<string, string>>;

function read(environment: Environment, dotEnv: string | null = null) {
  return readEmbeddingSettings({ environment, dotEnv, readText: () => null });
}

test("embedding settings: without variables there is no choice and no provider", () => {
  assert.deepEqual(read({}), { embeddings: null, access: {} });
});

test("embedding settings: Voyage by key, a compatible server by URL", () => {
  assert.deepEqual(
    read({
      KODIAI_EMBEDDINGS: "voyage:voyage-code-3",
      VOYAGE_API_KEY: "v",
      KODIAI_EMBEDDINGS_URL: "http://127.0.0.1:11434/v1/",
    }),
    {
      embeddings: "voyage:voyage-code-3",
      access: {
        voyage: { key: "v", baseUrl: null },
        "openai-compatible": { key: null, baseUrl: "http://127.0.0.1:11434/v1" },
      },
    },
  );
});

test("embedding settings: the model's server is used unless there is another, and neither gets the other's key", () => {
  const model = { KODIAI_COMPATIBLE_URL: "https://models.example.org/v1", KODIAI_COMPATIBLE_KEY: "m" };
  assert.deepEqual(read(model).access, {
    "openai-compatible": { key: "m", baseUrl: "https://models.example.org/v1" },
  });
  const own = { ...model, KODIAI_EMBEDDINGS_URL: "https://embeddings.example.org/v1" };
  assert.deepEqual(read(own).access, {
    "openai-compatible": { key: null, baseUrl: "https://embeddings.example.org/v1" },
  });
});

const REFUSED: readonly (readonly [what: string, Environment, dotEnv: string | null, RegExp])[] = [
  [
    "a provider without a key",
    { KODIAI_EMBEDDINGS: "voyage:voyage-code-3" },
    null,
    /VOYAGE_API_KEY is not set/,
  ],
  [
    "a server without a URL",
    { KODIAI_EMBEDDINGS: "openai-compatible:m" },
    null,
    /KODIAI_EMBEDDINGS_URL is not/,
  ],
  ["an unknown provider", { KODIAI_EMBEDDINGS: "cohere:embed" }, null, /must be local, voyage:MODEL/],
  ["a key without a URL", { KODIAI_EMBEDDINGS_KEY: "k" }, null, /without KODIAI_EMBEDDINGS_URL/],
  ["something that isn't a URL", { KODIAI_EMBEDDINGS_URL: "ollama" }, null, /must be a URL/],
  [
    "a URL in .env for a key of the environment",
    { VOYAGE_API_KEY: "v" },
    "VOYAGE_BASE_URL=https://thief.example.org\n",
    /set both in the same place/,
  ],
];

for (const [what, environment, dotEnv, expected] of REFUSED)
  test(`embedding settings: ${what} is refused`, () => {
    assert.throws(
      () => read(environment, dotEnv),
      (error) => error instanceof KodiaiError && error.code === "config" && expected.test(error.message),
    );
  });
