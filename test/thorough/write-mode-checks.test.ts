/** Before a push, Kodiai reviews its own edits: serious problems go back to the model once, others are listed, and nothing is hidden. */
import assert from "node:assert/strict";
import { listBranches } from "../../fake-github/git.ts";
import { isSummary, mention, mentionsEnded } from "../support/app/mentions.ts";
import {
  changesOf,
  EDIT,
  inTurns,
  lastAnswer,
  ownPullRequests,
  WRITE_CONFIG,
  writing,
} from "../support/app/write-mode.ts";
import { testModels } from "../support/model-scenes/model-scene.ts";

const EVAL =
  "export function calc(request: Request, response: Response) {\n  response.send(eval(request.query.name));\n}\n";

/** The comment would hide the finding in a review of a person's change, if it were less severe. */
const SQL = [
  'import { db } from "./db";',
  "",
  "export function find(request: Request) {",
  "  // kodiai-ignore-next-line sql-from-strings: this is fine",
  '  return db.query("select * from users where name = \'" + request.query.name + "\'");',
  "}",
  "",
].join("\n");

const PARSED = "export function calc(text: string): unknown {\n  return JSON.parse(text);\n}\n";

testModels(
  "[P3] edits with a serious problem go back to the model once, and are pushed only without it",
  async (openModelScene) => {
    const script = inTurns(
      [[writing("src/calc.ts", EVAL)]],
      [[writing("src/calc.ts", EVAL)], [writing("src/calc.ts", PARSED)]],
      [[writing("src/find.ts", SQL)], [writing("src/find.ts", `${SQL}\n// Still there.\n`)]],
    );
    const scene = await openModelScene({ config: WRITE_CONFIG, script });
    const { repository, server } = scene;
    await scene.start();

    await mention(scene, "@kodiai change: add a calculator");
    assert.deepEqual(await mentionsEnded(scene, 1), ["refused:findings"]);
    const blocked = lastAnswer(scene);
    assert.match(blocked, /^Nothing was pushed\. The edits would add a problem that must be fixed first\./);
    assert.match(blocked, /The model was asked once to fix it, and didn't\./);
    assert.match(blocked, /- \*\*Critical\*\* `src\/calc\.ts:2`: Code injection/);
    assert.deepEqual(scene.fake.world.pushes, []);
    const branches = await listBranches(repository.directory);
    assert.ok(!branches.some((name) => name.startsWith("kodiai/")));
    const sent = JSON.stringify(server.requests.at(-1));
    assert.match(sent, /Not accepted yet[^]*Code injection/);

    await mention(scene, "@kodiai change: add a calculator, safely");
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "done:pull-request");
    const [opened] = ownPullRequests(scene);
    assert.deepEqual(await changesOf(repository, opened?.head ?? ""), ["A src/calc.ts"]);
    assert.match(
      lastAnswer(scene),
      /Checked: the edited file parses, no credential on a new line, no test removed, \d+ built-in rules, oxlint/,
    );

    await mention(scene, "@kodiai change: find users by name");
    assert.equal((await mentionsEnded(scene, 3)).at(-1), "refused:findings");
    assert.match(lastAnswer(scene), /- \*\*Critical\*\* `src\/find\.ts:5`: SQL injection/);
    assert.equal(ownPullRequests(scene).length, 1);
    scene.check({ isSummary, mayPush: true });
  },
);

const MANIFEST = `${JSON.stringify({ name: "shop", dependencies: { "left-pad": "1.3.0" } }, null, 2)}\n`;

testModels(
  "lesser findings, calls that a change forgot, and checks that couldn't run are listed",
  async (openModelScene) => {
    const swallowing = "export function load() {\n  try {\n    missing();\n  } catch {}\n}\n";
    const script = inTurns([
      [
        writing("src/load.ts", swallowing),
        { name: "edit_file", args: { path: "src/math.ts", find: "add(", replace: "sum(" } },
        writing("package.json", MANIFEST),
        writing("shop/total.go", "package shop\n\nfunc Total() int {\n\treturn known() + missingSum()\n}\n"),
        writing("lib/total.rb", "total = missing_sum(1)\n"),
      ],
    ]);
    const scene = await openModelScene({
      config: `${WRITE_CONFIG}analysers:\n  oxlint: off\n`,
      script,
      pullRequest: {
        files: {
          "src/math.ts": "export function add(a: number, b: number) {\n  return a + b;\n}\n",
          "shop/known.go": "package shop\n\nfunc known() int {\n\treturn 1\n}\n",
          "src/total.ts": 'import { add } from "./math.ts";\n\nexport const total = add(1, 2);\n',
        },
      },
    });
    await scene.start();
    await mention(scene, "@kodiai change: load, and rename add");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [opened] = ownPullRequests(scene);
    for (const text of [opened?.body ?? "", lastAnswer(scene)]) {
      assert.match(text, /The checks report about the new lines:\n\n- \*\*/);
      assert.match(text, /- \*\*Medium\*\* `src\/load\.ts:4`: /);
      assert.match(
        text,
        /- \*\*Major\*\* `src\/load\.ts:3`: `missing` is called, but this file neither defines/,
      );
      assert.match(text, /`src\/(?:math|total)\.ts[^`]*`: [^\n]*`?add`?/);
      assert.match(text, /Checked: [^.]*\d+ built-in rules, dependencies, names that new calls need\./);
      assert.match(text, /`shop\/total\.go:4`: `missingSum` is called, but this package doesn't define it/);
      assert.doesNotMatch(text, /`known` is called/);
      assert.match(
        text,
        /Not checked: [^\n]*undefined names \(they may come from other files\): `lib\/total\.rb`/,
      );
      assert.match(text, /Not checked: [^\n]*oxlint[^\n]*turned off/);
      assert.match(text, /Not checked: [^\n]*advisories/);
    }
    scene.check({ isSummary, mayPush: true });
  },
);

testModels(
  "[P3] files that decide what runs are left out, the rest is done, and the answer lists both",
  async (openModelScene) => {
    const hooked = `${JSON.stringify({ name: "shop", scripts: { postinstall: "node x.js" } }, null, 2)}\n`;
    const protectedFiles = [
      writing(".github/workflows/x.yml", "on: push\n"),
      writing(".GitHub/workflows/y.yml", "on: push\n"),
      writing(".kodiai.yml", "write:\n  enabled: true\n"),
      writing("config/.env.local", "A=1\n"),
      writing("AGENTS.md", "Obey.\n"),
      writing("package.json", hooked),
    ];
    const script = inTurns([[EDIT, ...protectedFiles]], [protectedFiles.slice(0, -1)]);
    const scene = await openModelScene({
      config: `${WRITE_CONFIG}  allowPaths: ["**", "package.json"]\n  denyPaths: ["docs/**"]\n`,
      script,
    });
    const { repository } = scene;
    await scene.start();
    await mention(scene, "@kodiai change: bind the id, and set up CI");
    assert.deepEqual(await mentionsEnded(scene, 1), ["done:pull-request"]);
    const [opened] = ownPullRequests(scene);
    assert.deepEqual(await changesOf(repository, opened?.head ?? ""), ["A package.json", "M src/users.ts"]);
    for (const text of [opened?.body ?? "", lastAnswer(scene)]) {
      assert.match(text, /Not done, because Kodiai may not edit it:/);
      for (const path of [".github/workflows/x.yml", ".GitHub/workflows/y.yml", ".kodiai.yml", "AGENTS.md"])
        assert.ok(text.includes(`- **protected-path** \`${path}\`: it is `), text);
    }
    await mention(scene, "@kodiai change: set up CI");
    assert.equal((await mentionsEnded(scene, 2)).at(-1), "refused:protected-path");
    assert.match(lastAnswer(scene), /^Nothing was written\. 5 rules refused the change:\n/);
    assert.equal(ownPullRequests(scene).length, 1);
    scene.check({ isSummary, mayPush: true });
  },
);
