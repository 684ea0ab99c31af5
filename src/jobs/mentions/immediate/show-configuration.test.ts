import assert from "node:assert/strict";
import { test } from "node:test";
import { parseConfigFiles } from "../../gathering/gather-config.ts";
import { showConfiguration } from "./show-configuration.ts";
import type { AskedCommand } from "./immediate-command.ts";

const NAME = "acme/.github:.github/kodiai.yml";

for (const isHidden of [false, true]) {
  test(`values of the organization's file are ${isHidden ? "not shown if others can't read it" : "shown"}`, async () => {
    const bytes = Buffer.from("review: { prompt: Mind the merger, mode: strct }\n");
    const own = new Map([[".kodiai.yml", Buffer.from("review: { drafts: true }\n")]]);
    const config = await parseConfigFiles(own, ".kodiai.yml on main", { name: NAME, bytes, isHidden });
    // Only the configuration is read.
    const reply = await showConfiguration({ kind: "configuration" }, { config } as AskedCommand, {} as never);
    const text = JSON.stringify(reply);
    assert.equal(text.includes("merger"), !isHidden);
    assert.equal(text.includes("strct"), !isHidden);
    assert.ok(text.includes("review.prompt") && text.includes("review.drafts") && text.includes(NAME), text);
  });
}
