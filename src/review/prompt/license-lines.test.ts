import assert from "node:assert/strict";
import { test } from "node:test";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import { createGuard } from "../untrusted/create-guard.ts";
import { licenseLines } from "./license-lines.ts";
import { renderFileDiff } from "./render-file-diff.ts";

const HASHES = ["# Copyright 2026 The Authors.", "#", "# Licensed under the MIT License.", "# See LICENSE."];
const BLOCK = ["/*", " * Copyright 2026 The Authors.", " * Licensed under the Apache License.", " */"];

const CASES: readonly (readonly [why: string, lines: readonly string[], count: number])[] = [
  ["hashes", [...HASHES, "", "import os"], 4],
  ["slashes", [...HASHES.map((line) => line.replace("#", "//")), "package a"], 4],
  ["a block", [...BLOCK, "package a;"], 4],
  ["code after the block", [...BLOCK.slice(0, -1), " */ run();", "more();"], 0],
  ["a block without an end", BLOCK.slice(0, -1), 0],
  ["a comment about something else", ["# 1", "# 2", "# 3", "# 4", "# 5"], 0],
  ["a directive", [...HASHES, "# type: ignore"], 0],
  ["a shebang", ["#!/bin/sh", ...HASHES], 0],
  ["a short one", ["# Copyright 2026", "x = 1"], 0],
  ["code", ["const license = 1;", "a();", "b();", "c();"], 0],
  ["endless text", Array.from({ length: 100 }, () => "# Licensed, and more."), 0],
];

test("the license at the top of a new file is found, and nothing else", () => {
  for (const [why, lines, count] of CASES)
    assert.equal(
      licenseLines(changedFile({ path: "a.py", lines: lines.map((line) => `+${line}`) })),
      count,
      why,
    );
  const modified = changedFile({ path: "a.py", status: "modified", lines: HASHES.map((line) => `+${line}`) });
  assert.equal(licenseLines(modified), 0);
});

test("the license is folded, and the lines after it keep their numbers", () => {
  const file = changedFile({ path: "a.py", lines: [...HASHES, "x = 1"].map((line) => `+${line}`) });
  assert.equal(
    renderFileDiff(file, createGuard("f00d")),
    "=== a.py (added)\n@@\n(lines 1–4: the license, not shown)\n5+x = 1",
  );
});
