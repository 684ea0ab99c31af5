/** A breaking version of an action or an npm package is high, low or medium confidence, by whether what it removes is used here. */
import { test } from "node:test";
import {
  bumpOf,
  LEVEL,
  NEW_FILES,
  NOTES,
  npmAnswers,
  packAnswers,
  reported,
  says,
  shopAt,
  USES_LEFT,
  USES_RIGHT,
  WITHOUT_NOTES,
} from "../support/major-fixtures.ts";

test("a major of an action that takes away nothing that workflows use is high, with its reason", async (t) => {
  says(await reported(t, packAnswers(), ...bumpOf(LEVEL)), [
    "Merge confidence: high: a breaking version that takes away nothing that is used here",
    "none of the 3 removed or changed inputs and outputs is used here",
    "needs a runner with Node.js 20 (was 16)",
  ]);
});

test("a major of an action is low with the line if a removed input is passed", async (t) => {
  const text = await reported(t, packAnswers(), ...bumpOf(`${LEVEL}          Old-Name: x\n`));
  says(text, [
    "Merge confidence: low: a breaking version, call sites are affected",
    "input old-name at .github/workflows/ci.yml:11",
  ]);
});

test("a major of an action isn't high if its files can't be read", async (t) => {
  const text = await reported(t, packAnswers({ now: 403 }), ...bumpOf(LEVEL));
  says(
    text,
    ["Merge confidence: medium: a breaking version", "inputs and outputs unavailable"],
    ["is used here"],
  );
});

test("confidence in a major of a package that removes an export that no file uses", async (t) => {
  const answers = await npmAnswers({}, {});
  says(await reported(t, answers, shopAt("1.4.0", USES_LEFT), shopAt("2.0.0", {})), [
    "confidence: high: a breaking version that takes",
    "but the removed or changed export isn't used here",
    "breaking: - `right` was removed.",
  ]);
});

test("confidence in a major of a package that removes what is used", async (t) => {
  const answers = await npmAnswers({}, {});
  says(await reported(t, answers, shopAt("1.4.0", USES_RIGHT), shopAt("2.0.0", {})), [
    "confidence: low: a breaking version, call sites are affected",
    "right at src/shop.js:2",
  ]);
});

test("confidence in a major of a package that changes a default", async (t) => {
  const notes = NOTES.replace("- `right`", "- Pads with zeros by default.\n- `right`");
  const answers = await npmAnswers({}, { files: { ...NEW_FILES, "CHANGELOG.md": notes } });
  says(await reported(t, answers, shopAt("1.4.0", USES_LEFT), shopAt("2.0.0", {})), [
    "confidence: medium: a breaking version, the release notes name breaking changes",
  ]);
});

test("confidence in a minor below 1.0 that removes an export that no file uses", async (t) => {
  const answers = await npmAnswers({}, { files: WITHOUT_NOTES }, ["0.4.2", "0.5.0"]);
  says(await reported(t, answers, shopAt("0.4.2", USES_LEFT), shopAt("0.5.0", {})), [
    "confidence: high: a breaking version that takes",
    "minor below 1.0, but the removed or changed export isn't used here",
  ]);
});

test("confidence in a minor below 1.0 that computes its exports", async (t) => {
  const files = { "index.js": "module.exports = build(process.env.KIND);\n" };
  const answers = await npmAnswers({}, { files }, ["0.4.2", "0.5.0"]);
  says(await reported(t, answers, shopAt("0.4.2", USES_LEFT), shopAt("0.5.0", {})), [
    "confidence: medium: a breaking version",
  ]);
});
