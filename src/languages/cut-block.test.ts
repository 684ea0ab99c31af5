import assert from "node:assert/strict";
import { test } from "node:test";
import { cutBlock } from "./cut-block.ts";

const JS = `import { a } from "./a.ts";

describe("cart", () => {
  const cart = make();

  it("adds", () => {
    cart.add(1);
    expect(cart.total).toBe(1);
  });

  it("removes", () => {
    cart.remove(1);
  });
});
`.split("\n");

const PYTHON = `import shop

def test_add():
    cart = shop.Cart()

    assert cart.add(1) == 1

def test_remove():
    pass
`.split("\n");

test("the largest block with few enough lines is cut, with its closing line", () => {
  for (const [lines, line, maxLines, startLine, endLine] of [
    [JS, 7, 8, 6, 9],
    [JS, 7, 40, 3, 14],
    [JS, 4, 8, 2, 6],
    [PYTHON, 6, 8, 3, 7],
    [PYTHON, 9, 8, 8, 10],
    [JS, 1, 8, 1, 3],
    [[""], 1, 8, 1, 1],
  ] as const)
    assert.deepEqual(
      cutBlock(lines, line, maxLines),
      { startLine, endLine },
      `${lines[line - 1]} in ${maxLines}`,
    );
});

test("endless and hostile files are cut in time that depends on the limit alone", () => {
  const deep = Array.from({ length: 50_000 }, (_, index) => `${" ".repeat(index % 300)}x`);
  for (const line of [1, 299, 25_000, 50_000]) {
    const { startLine, endLine } = cutBlock(deep, line, 40);
    assert.ok(startLine >= 1 && startLine <= line && line <= endLine && endLine - startLine < 40);
  }
});
