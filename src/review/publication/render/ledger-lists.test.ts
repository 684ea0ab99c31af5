import assert from "node:assert/strict";
import { test } from "node:test";
import { openFinding } from "../../../../test/support/prior-fixtures.ts";
import { renderAnswered } from "./ledger-lists.ts";
import { NO_LINKS } from "./links.ts";

test("findings that people settled are listed with who and why, and mention no one", () => {
  const verdict = { by: "ben", reason: "@ada <b>knows</b> #7" };
  const answered = [
    openFinding({ number: 2, verdict }, "contested"),
    openFinding({ number: 3, verdict: { by: "cem", reason: "" } }, "waived"),
    openFinding({ number: 4 }, "contested"),
  ];
  const text = renderAnswered({ answered }, NO_LINKS);
  assert.match(text, /^### Dismissed or accepted \(3\)\n\n- \(2\) Major: /);
  assert.match(text, /\(2\).*: dismissed by `ben`: @&#8203;ada &lt;b&gt;knows&lt;\/b&gt; #&#8203;7\n/);
  assert.match(text, /\(3\).*: accepted by `cem`\n/);
  assert.match(text, /\(4\).*: dismissed\n/);
  assert.equal(renderAnswered({ answered: [] }, NO_LINKS), "");
});
