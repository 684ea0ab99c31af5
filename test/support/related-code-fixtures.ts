/** A change with callers, tests and types around it. */
import type { TestContext } from "node:test";
import { checksumOf } from "../../src/base/secrets/token-checksum.ts";
import { openDesk } from "./model-scenes/desk.ts";
import { FINISHING, oneByOne } from "./model-scenes/model-scene.ts";

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `  ${word}(${index});`).join("\n");

export const RANDOM = "k3vR9tW2xL7mQ4zN8dH5jYcF1gT6pX";

/** Put together here so that no scanner takes it for an issued token. */
const TOKEN = `ghp_${RANDOM}${checksumOf(RANDOM)}`;

const BEFORE: Readonly<Record<string, string>> = {
  "src/price.ts": [
    'import type { Cart } from "./cart.ts";',
    "",
    "export function price(cart: Cart): number {",
    "  const base = cart.total;",
    "  const tax = base * 0.2;",
    "  log(base);",
    "  log(tax);",
    "  log(base);",
    "  log(tax);",
    "  return base + tax;",
    "}",
    "",
    "export function long(): void {",
    "  const first = start();",
    lines(60, "step"),
    "}",
    "",
  ].join("\n"),
  "src/cart.ts": "export interface Cart {\n  readonly total: number;\n  readonly couponOfCart: string;\n}\n",
  "src/checkout.ts": [
    'import { price } from "./price.ts";',
    "",
    "export function checkout(cart: never): number {",
    `  const token = "${TOKEN}";`,
    "  // price is a word in a comment",
    "  return price(cart) + token.length;",
    "}",
    "",
  ].join("\n"),
  "src/stock.ts": [
    "export function stockValue(): number {",
    "  const price = (value: number): number => value;",
    "  return price(3);",
    "}",
    "",
  ].join("\n"),
  "test/price.test.ts": [
    'import { price } from "../src/price.ts";',
    "",
    'test("taxes are added", () => {',
    "  assert.equal(price({ total: 10 }), 12);",
    "});",
    "",
  ].join("\n"),
  "package-lock.json": '{ "name": "price", "lockfileVersion": 3, "packages": { "price": {} } }\n',
};

const AFTER: Readonly<Record<string, string>> = {
  "src/price.ts": (BEFORE["src/price.ts"] ?? "")
    .replace("price(cart: Cart): number", "price(cart: Cart, rate: number): number")
    .replace("base * 0.2", "base * rate")
    .replace("  step(40);", "  step(41, true);"),
};

export function openRelatedCode(t: TestContext, config = "", script = oneByOne([FINISHING])) {
  return openDesk(t, {
    before: { ...BEFORE, ...(config === "" ? {} : { ".kodiai.yml": config }) },
    after: AFTER,
    script,
  });
}
