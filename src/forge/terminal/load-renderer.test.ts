import assert from "node:assert/strict";
import { test } from "node:test";
import { SAMPLE_PUBLICATIONS } from "../../../test/support/sample-publication.ts";
import { OUTPUT_FORMATS } from "../../review/publication/output-format.ts";
import { loadRenderer } from "./load-renderer.ts";

for (const format of OUTPUT_FORMATS) {
  test(`${format}: shows the verdict and every finding, and ends with one line feed`, async () => {
    const render = await loadRenderer(format);
    for (const compose of Object.values(SAMPLE_PUBLICATIONS)) {
      const publication = compose();
      const text = render(publication, { color: false, width: 200, rules: [] });
      const plain = text.replaceAll("&#8203;", "");
      const words = plain.replaceAll(/\s+/g, " ").replaceAll("\\[", "[").replaceAll("\\]", "]");
      assert.ok(words.includes(publication.verdict.headline), `${format} lacks the verdict`);
      for (const { finding } of publication.findings)
        assert.ok(words.includes(finding.title), `${format} lacks ${finding.title}`);
      // Workflow commands only count resolved findings: there is nothing to annotate.
      const resolved = format === "github" ? [] : publication.resolved;
      const earlier = [...publication.stillOpen, ...resolved];
      for (const { prior } of earlier)
        assert.ok(words.includes(prior.title), `${format} lacks ${prior.title}`);
      assert.match(text, /[^\n]\n$/);
    }
  });
}
