import assert from "node:assert/strict";
import { test } from "node:test";
import type { EmbeddingSettings } from "../config/embedding-settings.ts";
import { chooseEmbeddings } from "./choose-embeddings.ts";

const VOYAGE = "voyage:voyage-code-3";
const OWN = "openai-compatible:nomic-embed-text";
const NONE: EmbeddingSettings = { embeddings: null, access: {} };
const BOTH: EmbeddingSettings = {
  embeddings: null,
  access: {
    voyage: { key: "v", baseUrl: null },
    "openai-compatible": { key: null, baseUrl: "http://127.0.0.1/v1" },
  },
};

const CASES: readonly (readonly [
  what: string,
  configured: string | null,
  settings: EmbeddingSettings,
  id: string,
  problem: RegExp | null,
])[] = [
  ["neither has a choice", null, NONE, "local", null],
  ["credentials alone choose nothing", null, BOTH, "local", null],
  ["the repository chooses a usable provider", VOYAGE, BOTH, VOYAGE, null],
  ["the operator chooses", null, { ...BOTH, embeddings: OWN }, OWN, null],
  ["the operator overrides the repository", VOYAGE, { ...BOTH, embeddings: OWN }, OWN, null],
  ["the operator allows only local ones", VOYAGE, { ...BOTH, embeddings: "local" }, "local", null],
  ["a repository keeps its texts on the server", "local", { ...BOTH, embeddings: VOYAGE }, "local", null],
  ["no key for the repository's choice", VOYAGE, NONE, "local", /VOYAGE_API_KEY is not set on the server/],
  ["no URL for the repository's choice", OWN, NONE, "local", /KODIAI_EMBEDDINGS_URL is not set/],
  ["a misspelled choice", "voyage-code-3", BOTH, "local", /must be local, voyage:MODEL/],
  ["a URL as a choice", "https://thief.example.org", BOTH, "local", /must be local/],
];

for (const [what, configured, settings, id, problem] of CASES)
  test(`chooses embeddings: ${what}`, () => {
    const chosen = chooseEmbeddings(configured, settings);
    assert.equal(chosen.id, id);
    if (problem === null) assert.equal(chosen.problem, null);
    else assert.match(chosen.problem ?? "", problem);
  });
