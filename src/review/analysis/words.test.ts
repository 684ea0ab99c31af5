import assert from "node:assert/strict";
import { test } from "node:test";
import { spacedWords, wordsOf } from "./words.ts";

const WORDS: readonly [text: string, words: string][] = [
  ["authToken", "auth token"],
  ["auth_token", "auth token"],
  ["src/AuthToken.ts", "src auth token ts"],
  ["OAuthClient", "o auth client"],
  ["XMLHttpRequest", "xml http request"],
  ["APIKey", "api key"],
  ["design", "design"],
  ["author", "author"],
  ["latest/attestation", "latest attestation"],
  ["oauth2", "oauth 2"],
  ["MyAppTests", "my app tests"],
  ["ABC", "abc"],
  ["", ""],
  ["--__", ""],
];

test("text is split into lower-case words", () => {
  for (const [text, words] of WORDS) assert.equal(wordsOf(text).join(" "), words, text);
});

test("every word has a space on both sides", () => {
  assert.equal(spacedWords("a/bC"), " a b c ");
});
