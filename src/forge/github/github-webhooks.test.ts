import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { createGithubWebhooks } from "./github-webhooks.ts";

const [OLD, NEXT] = ["the old secret of this test", "the next secret of this test"] as const;

function read(text: string, secret: string, ...secrets: readonly string[]) {
  const body = Buffer.from(text);
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  const headers = {
    "x-hub-signature-256": `sha256=${signature}`,
    "x-github-delivery": "1",
    "x-github-event": "push",
  };
  return createGithubWebhooks(...secrets).read(headers, body);
}

test("with two secrets, signatures with either are valid, and with a third or none aren't", () => {
  for (const secret of [OLD, NEXT]) assert.equal(read("{}", secret, NEXT, OLD).kind, "signed");
  assert.equal(read("{}", "another secret", NEXT, OLD).kind, "bad-signature");
  assert.equal(read("{}", OLD).kind, "bad-signature");
  assert.equal(createGithubWebhooks(OLD).read({}, Buffer.from("{}")).kind, "bad-signature");
});

test("the same body under the same secret has one hash, in every process, and another body has another", () => {
  const hashOf = (...given: Parameters<typeof read>): string => {
    const delivery = read(...given);
    assert.ok(delivery.kind === "signed");
    return delivery.bodyHash;
  };
  const first = hashOf("{}", OLD, OLD);
  assert.equal(hashOf("{}", OLD, NEXT, OLD), first);
  assert.notEqual(hashOf("[]", OLD, OLD), first);
  // Which secret it was is before the dash, because hashes with different ones can't be compared.
  const keyOf = (hash: string): string => hash.slice(0, hash.lastIndexOf("-"));
  assert.equal(keyOf(hashOf("[]", OLD, OLD)), keyOf(first));
  assert.notEqual(keyOf(hashOf("{}", NEXT, NEXT, OLD)), keyOf(first));
  assert.ok(!first.includes(OLD));
});
