/** Tests that a marker is valid only in its own scope, complete and at the end of a text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMarkers, type MarkerScope } from "./markers.ts";

const markers = createMarkers("secret");
const scope: MarkerScope = {
  installationId: 11,
  forgeId: 22,
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
    { forgeId: 23 },
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

test("the marker of a summary carries a state, and one without it is as before", () => {
  const summary: MarkerScope = { ...scope, head: "", part: "summary" };
  const state = "aZ09_-".repeat(4_000);
  const marker = markers.render(summary, { ...content, state });
  assert.deepEqual(markers.read(summary, `Text\n\n${marker}`), { ...content, state });
  assert.equal(markers.read(summary, marker.replace("aZ09", "aZ08")), null);
  assert.equal(markers.read(summary, marker.replace(`${state}:`, "")), null);
  // Signed by an earlier version, which knew no state.
  const old = `<!-- kodiai:summary:v1:0123456789abcdef::e827927351cabefb2f2f4d076e28b890d88d777e0c34889a9b9fa4331165a5ba -->`;
  assert.equal(markers.render(summary, { bodyHash: "0123456789abcdef", moved: [] }), old);
  for (const wrong of [`${state}a`, "a:b", "a b", ""])
    assert.throws(() => markers.render(summary, { ...content, state: wrong }), /can't carry this state/);
});

test("[P7] the marker of a finding is valid on its pull request only, whole and at the end", () => {
  for (const id of ["0123456789abcdef", "0123456789abcdef-2"]) {
    const marker = markers.renderFinding(scope, id);
    const read = (text: string, where: Partial<MarkerScope> = {}, by = markers): string | null =>
      by.readFinding({ ...scope, ...where }, text)?.findingId ?? null;
    assert.equal(read(`Text\n\n${marker}\n`), id);
    assert.equal(read(marker, { head: "b".repeat(40), request: "comment:5" }), id);
    assert.equal(read(marker, {}, createMarkers("other secret", "secret")), id);
    for (const other of [{ installationId: 12 }, { forgeId: 23 }, { number: 8 }])
      assert.equal(read(marker, other), null, JSON.stringify(other));
    for (const text of [
      "",
      `${marker}\n\nmore`,
      marker.replace("0123", "1123"),
      marker.replace(":finding:", ":review:"),
      markers.render(scope, content),
    ])
      assert.equal(read(text), null, text);
  }
  const grouped = markers.renderFinding(scope, "one", ["two", "three"]);
  assert.deepEqual(markers.readFinding(scope, grouped), { findingId: "one", otherIds: ["two", "three"] });
  assert.equal(markers.readFinding(scope, grouped.replace(",three", "")), null);
  assert.throws(() => markers.renderFinding(scope, "a b"), /can't carry this finding id/);
});
