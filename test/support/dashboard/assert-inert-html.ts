/** Reads HTML that we wrote, and checks that no text of a repository became markup: only our tags, attributes and addresses are in it. */
import assert from "node:assert/strict";

const TAG = /<(\/?[a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9-]*(?:="[^"]*")?)*)\s*\/?>/gi;

const TAGS: ReadonlySet<string> = new Set(
  `html head meta title link script style body a header nav ul li form input span button main h1 h2 h3 p section div dl dt dd small
   table caption thead tbody tr th td label select option textarea details summary figure figcaption svg rect line text path circle
   time code pre strong article fieldset legend`.split(/\s+/),
);

const ATTRIBUTES: ReadonlySet<string> = new Set(
  `lang charset name content rel href type src defer class id tabindex aria-label aria-current aria-live aria-hidden method action value
   scope role datetime title viewbox x y x1 x2 y1 y2 cx cy r rx width height d text-anchor for http-equiv inputmode size rows required selected
   checked`.split(/\s+/),
);

const OWN_ADDRESS = /^(?:\/(?!\/)|#|https:\/\/github\.com\/)/;

export function assertInertHtml(body: string): void {
  const document = body.replace(/^<!doctype html>/i, "").replace(/<style>[\s\S]*?<\/style>/, "");
  for (const [whole, name = "", attributes = ""] of document.matchAll(TAG)) {
    assert.ok(TAGS.has(name.replace("/", "").toLowerCase()), `a foreign tag: ${whole}`);
    for (const [, attribute = "", value = ""] of attributes.matchAll(/([a-z][a-z0-9-]*)(?:="([^"]*)")?/gi)) {
      assert.ok(ATTRIBUTES.has(attribute.toLowerCase()), `a foreign attribute: ${whole}`);
      if (["href", "src", "action"].includes(attribute)) assert.match(value, OWN_ADDRESS, whole);
    }
  }
  const text = document.replace(TAG, "");
  const at = text.search(/[<>]/);
  assert.equal(at, -1, `markup that isn't ours: ${text.slice(Math.max(0, at - 80), at + 80)}`);
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069\u200b]/, "a character that changes how text looks");
}
