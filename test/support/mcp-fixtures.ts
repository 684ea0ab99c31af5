/** A repository for `kodiai mcp`, and its client. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type TestRepository, testRepository } from "./test-repository.ts";

export const MB = 1_048_576;

export function shop(t: TestContext): TestRepository {
  const made = testRepository();
  t.after(() => made.remove());
  made.write("src/total.ts", "export function total(price: number) {\n  return price;\n}\n");
  made.write("src/cart.ts", 'import { total } from "./total.ts";\n\nexport const cart = total(1);\n');
  made.write(".gitignore", ".env\n.cache\n");
  symlinkSync("/etc/passwd", join(made.path, "link"));
  made.commit("the shop");
  made.git("checkout", "--quiet", "-b", "feature");
  made.write(
    "src/total.ts",
    "export function total(price: number) {\n  eval(String(price));\n  debugger;\n  return price;\n}\n",
  );
  made.commit("feat: more");
  made.write(".env", "TOKEN=hidden\n");
  return made;
}
