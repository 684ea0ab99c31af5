/** Tests that a marker is valid only in its own scope, complete and at the end of a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMarkers, type MarkerScope } from "./markers.ts";

const markers = createMarkers("secret");
const scope: MarkerScope = {
  installationId: 11,
  repositoryId: 22,
  number: 7,
  head: "a".repeat(40),
  part: "review",
  request: "",
};
const content = { bodyHash: "0123456789abcdef".repeat(4), moved: ["0123456789ab", "ba9876543210"] };

test("a marker is read in its own scope with its content", () => {
  for (const moved of [[], content.moved]) {
    const marker = markers.render(scope, { ...content, moved });
    assert.match(marker, /^<!-- kodiai:review:v1:[^<>]* -->$/);
    assert.deepEqual(markers.read(scope, `Some text\n\n${marker}\n`), { ...content, moved });
  }
});

test("[P7] a marker of another scope, part or secret is invalid", () => {
  const marker = markers.render(scope, content);
  const others: readonly Partial<MarkerScope>[] = [
    { installationId: 12 },
    { repositoryId: 23 },
    { number: 8 },
    { head: "b".repeat(40) },
    { part: "summary" },
    { request: "comment:5" },
    { part: "trial" },
  ];
  for (const other of others)
    assert.equal(markers.read({ ...scope, ...other }, marker), null, JSON.stringify(other));
  assert.equal(createMarkers("other secret").read(scope, marker), null);
  assert.deepEqual(createMarkers("other secret", "secret").read(scope, marker), content);
});

test("[P7] a changed, truncated or quoted marker is invalid", () => {
  const marker = markers.render(scope, content);
  const texts = [
    "",
    "no marker at all",
    marker.replace(":review:", ":summary:"),
    marker.replace("0123456789ab,", ""),
    marker.replace("0123456789abcdef", "1123456789abcdef"),
    marker.replace(/[0-9a-f]{64} -->$/, `${"0".repeat(64)} -->`),
    marker.slice(0, -10),
    `${marker}\n\nand text that a user added below it`,
    `> ${marker} <`,
  ];
  for (const text of texts) assert.equal(markers.read(scope, text), null, text);
});
