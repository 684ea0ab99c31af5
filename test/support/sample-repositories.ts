/** Three small, realistic repositories, each with a branch that has known mistakes on known lines. */
import { type TestRepository, testRepository } from "./test-repository.ts";

/** `path:line rule`, sorted by path. */
export type SampleRepository = {
  readonly name: string;
  readonly made: TestRepository;
  readonly expected: readonly string[];
};

type Sample = {
  readonly name: string;
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  readonly expected: readonly string[];
};

const SAMPLES: readonly Sample[] = [
  {
    name: "a web service in TypeScript",
    before: {
      "package.json": '{ "name": "shop", "type": "module" }\n',
      "src/orders.ts":
        'import { db } from "./db.ts";\n\nexport async function listOrders() {\n  return db.query("SELECT * FROM orders");\n}\n',
      "src/db.ts":
        "export const db = { query: async (sql: string, values: unknown[] = []) => [sql, values] };\n",
      "test/orders.test.ts": 'import { test } from "node:test";\n\ntest("lists orders", () => {});\n',
    },
    after: {
      "src/orders.ts":
        'import { db } from "./db.ts";\n\nexport async function listOrders() {\n  return db.query("SELECT * FROM orders");\n}\n\nexport async function findOrder(id: string) {\n  const rows = await db.query(`SELECT * FROM orders WHERE id = \'${id}\'`);\n  return rows[0];\n}\n\nexport async function cancelOrder(id: string) {\n  try {\n    await db.query("UPDATE orders SET state = ? WHERE id = ?", ["cancelled", id]);\n  } catch {}\n}\n',
      "test/orders.test.ts":
        'import { test } from "node:test";\n\ntest("lists orders", () => {});\n\ntest.only("finds an order", () => {});\n',
      "package-lock.json": '{ "name": "shop", "lockfileVersion": 3, "packages": {} }\n',
    },
    expected: [
      "src/orders.ts:8 sql-from-strings",
      "src/orders.ts:15 empty-catch",
      "test/orders.test.ts:5 focused-test",
    ],
  },
  {
    name: "a Python package",
    before: {
      "pyproject.toml": '[project]\nname = "reports"\n',
      "reports/__init__.py": "",
      "reports/render.py": "def render(rows):\n    return '\\n'.join(rows)\n",
    },
    after: {
      "reports/render.py":
        "import subprocess\n\n\ndef render(rows, footer=[]):\n    footer.append(str(len(rows)))\n    return '\\n'.join(rows)\n\n\ndef convert(name):\n    try:\n        subprocess.run(f'pandoc {name} -o out.pdf', shell=True)\n    except:\n        return None\n    breakpoint()\n",
    },
    expected: [
      "reports/render.py:4 mutable-default-argument",
      "reports/render.py:11 shell-from-strings",
      "reports/render.py:12 bare-except",
      "reports/render.py:14 leftover-debugger",
    ],
  },
  {
    name: "a Go service with its workflow",
    before: {
      "go.mod": "module example.org/ping\n\ngo 1.23\n",
      "main.go": "package main\n\nfunc main() {}\n",
    },
    after: {
      "main.go":
        'package main\n\nimport (\n\t"crypto/tls"\n\t"encoding/json"\n\t"net/http"\n)\n\ntype config struct{ Port int }\n\nfunc load(data []byte) config {\n\tvar c config\n\tjson.Unmarshal(data, &c)\n\treturn c\n}\n\nfunc client() *http.Client {\n\treturn &http.Client{Transport: &http.Transport{\n\t\tTLSClientConfig: &tls.Config{InsecureSkipVerify: true},\n\t}}\n}\n\nfunc main() {}\n',
      ".github/workflows/greet.yml":
        'on: issues\njobs:\n  greet:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo "Thanks for ${{ github.event.issue.title }}"\n',
    },
    expected: [
      ".github/workflows/greet.yml:6 workflow-script-injection",
      "main.go:13 unchecked-go-error",
      "main.go:19 disabled-tls-verification",
    ],
  },
];

export function sampleRepositories(): readonly SampleRepository[] {
  return SAMPLES.map(({ name, before, after, expected }) => {
    const made = testRepository();
    for (const [path, text] of Object.entries(before)) made.write(path, text);
    made.commit("first version");
    made.git("checkout", "--quiet", "-b", "feature");
    for (const [path, text] of Object.entries(after)) made.write(path, text);
    made.commit("feat: more");
    return { name, made, expected };
  });
}
