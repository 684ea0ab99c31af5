/** Addresses, as people write them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, type AiSdkProvider } from "./connect-provider.ts";

const CASES: readonly (readonly [AiSdkProvider, string | null, string])[] = [
  ["openai", null, "https://api.openai.com/v1"],
  ["anthropic", null, "https://api.anthropic.com/v1"],
  ["google", null, "https://generativelanguage.googleapis.com/v1beta"],
  ["openai", "https://proxy.example", "https://proxy.example/v1"],
  ["openai", "https://proxy.example/v1/", "https://proxy.example/v1"],
  ["openai", "https://gateway.example/openai", "https://gateway.example/openai"],
  ["anthropic", "http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"],
  ["anthropic", "https://gateway.example/anthropic/", "https://gateway.example/anthropic/v1"],
  ["anthropic", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1"],
  ["google", "https://proxy.example", "https://proxy.example/v1beta"],
  ["compatible", "http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434/v1"],
  ["compatible", "http://127.0.0.1:8000", "http://127.0.0.1:8000"],
];

for (const [provider, given, expected] of CASES)
  test(`${provider} at ${given ?? "its own address"} is ${expected}`, () => {
    assert.equal(addressOf(provider, given), expected);
  });

for (const given of ["proxy.example", "file:///etc/passwd", ""])
  test(`"${given}" is no address`, () => {
    assert.throws(() => addressOf("openai", given), /isn't a URL/);
  });
