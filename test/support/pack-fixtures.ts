/** A repository to pack, and the command. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before } from "node:test";
import { runKodiai, type RunResult } from "./run-kodiai.ts";
import { type TestRepository, testRepository } from "./test-repository.ts";

/** Looks like a real one, but isn't. */
const TOKEN = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;

const ENV_VALUE = "zq8Xw2Lp9Vt4Kd7RmB3n";

const CART_LINES = Array.from({ length: 40 }, (_, index) => `  const line${index} = ${index};`).join("\n");

const cart = (body: string): string =>
  `import { round } from "./money.ts";\n\nexport function total(items: number[]) {\n${CART_LINES}\n${body}\n}\n\nexport function unrelated() {\n${CART_LINES.repeat(3)}\n}\n`;

/** Longer than what one related file gets. */
const report = `import { total } from "./cart.ts";
import { round } from "./money.ts";

export function heading() {
${Array.from({ length: 6 }, () => CART_LINES).join("\n")}
}

export function sum() {
  return round(total([2]));
}
`;

export const BASE: Readonly<Record<string, string | Uint8Array>> = {
  "src/cart.ts": cart("  return items.length;"),
  "src/money.ts": "export function round(value: number) {\n  return Math.round(value);\n}\n",
  "src/checkout.ts": 'import { total } from "./cart.ts";\n\nexport const pay = () => total([1]);\n',
  "src/report.ts": report,
  "src/gone.ts": "export const gone = 1;\n",
  "src/weather.ts": "export const rain = true;\n",
  "test/cart.test.ts": 'import { total } from "../src/cart.ts";\n\ntotal([]);\n',
  "test/weather.test.ts": "export const unrelated = 1;\n",
  "docs/guide.md": "# Guide\n",
  ".env": `API_TOKEN=${ENV_VALUE}\n`,
  "package-lock.json": '{ "lockfileVersion": 3 }\n',
  "keys/id_rsa": "not a real key\n",
  "src/cart.dat": Uint8Array.from([0, 1, 2, 0]),
  "legacy/old.ts": "export const old = 1;\n",
  ".kodiai.yml": 'pack:\n  exclude: ["legacy/**"]\n',
  "hostile/fences.md.ts": "// ````\n// ```\n// </file>\n// # Omitted\n",
  "hostile/marked.ts": "\ufeffexport const marked = 1;\r\nexport const crlf = 2;\r\n",
  "hostile/latin1.ts": Buffer.from("// \xe9t\xe9\n", "latin1"),
  "hostile/line.ts": `export const data = "${"x".repeat(400_000)}";\n`,
  "hostile/equal.ts": `// ${"a".repeat(100_000)}\n`,
};

export const CHANGED: Readonly<Record<string, string | Uint8Array>> = {
  "src/cart.ts": cart(`  return round(items.length); // ${TOKEN}`),
  ".env": `API_TOKEN=${ENV_VALUE}9\n`,
  "package-lock.json": '{ "lockfileVersion": 3, "locked": true }\n',
  "keys/id_rsa": "still not a real key\n",
  "src/added.ts": `export const added = "${ENV_VALUE}9";\n`,
  "hostile/fences.md.ts": "// ````\n// ```\n// </file>\n// # Omitted\n// changed\n",
  "hostile/huge.ts": `export const huge = "${"y".repeat(5_000_000)}";\n`,
};

export let repository: TestRepository;

export let folder: string;

before(() => {
  repository = testRepository();
  folder = mkdtempSync(join(tmpdir(), "kodiai-pack-"));
  for (const [path, text] of Object.entries(BASE)) repository.write(path, text);
  repository.commit("shop");
  repository.git("checkout", "--quiet", "-b", "feature");
  for (const [path, text] of Object.entries(CHANGED)) repository.write(path, text);
  repository.git("rm", "--quiet", "src/gone.ts");
  repository.commit(`cart: totals are rounded\n\nUses ${TOKEN}.`);
});

after(() => {
  repository.remove();
  rmSync(folder, { recursive: true, force: true });
});

export type Packed = RunResult & { readonly files: ReadonlyMap<string, string>; readonly report: Report };

type Report = {
  readonly result: string;
  readonly tokens: { budget: number; baseline: number; final: number; remaining: number };
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly omissions: readonly { path: string; reason: string; kind: string }[];
};

export async function pack(
  name: string,
  args: readonly string[] = [],
  { cwd = repository.path, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Packed> {
  const out = join(folder, name);
  const home = join(folder, "home");
  const result = await runKodiai(["pack", "--out", out, ...args], { cwd, env: { HOME: home, ...env } });
  const names = existsSync(out) ? readdirSync(out).toSorted() : [];
  const files = new Map(names.map((file) => [file, readFileSync(join(out, file), "utf8")]));
  const report = files.get("pr-context.report.json");
  return { ...result, files, report: report === undefined ? ({} as Report) : JSON.parse(report) };
}

export function reasonOf({ report }: Packed, path: string): string | undefined {
  return report.omissions.find((omission) => omission.path === path)?.reason;
}

export function blockOf({ files }: Awaited<ReturnType<typeof pack>>, path: string): string {
  const text = files.get("pr-context.txt") ?? "";
  const blocks = text.split(/^(?=##? )/m);
  return blocks.find((block) => block.startsWith(`## ${path} `) || block.startsWith(`## ${path}\n`)) ?? "";
}
