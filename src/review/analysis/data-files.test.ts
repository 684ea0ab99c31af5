import assert from "node:assert/strict";
import { test } from "node:test";
import { categoryOf } from "./categories.ts";
import { isDataFile } from "./data-files.ts";
import { languageOf } from "../../languages/language-of.ts";

const DATA = [
  ..."data/cities.csv export.TSV events.jsonl events.ndjson map.geojson logo.svg server.log rows.parquet".split(
    " ",
  ),
  ..."data/cities.json locales/en.json public/search-index.json openapi.json cities.JSON".split(" "),
  ..."test/fixtures/answer.json tests/fixtures/feed.xml testdata/words.txt fixtures/users.yml a.snap".split(
    " ",
  ),
];

/** Source, prose, and what programs are configured with. */
const OTHERS = [
  ..."src/a.ts a.sql dump.sql notebook.ipynb index.html README.md words.txt styles.css Makefile csv log json".split(
    " ",
  ),
  ..."package.json web/package.json tsconfig.json tsconfig.base.json composer.json deno.json app.json".split(
    " ",
  ),
  ..."appsettings.Production.json firebase.json webpack.config.json iam-policy.json main.tf.json".split(" "),
  ...".eslintrc.json .vscode/launch.json .github/workflows/ci.yml .github/data.json k8s/deployment.json".split(
    " ",
  ),
  ..."data/users.yml feed.xml pom.xml settings.yaml infra/stack.json test/fixtures/package.json".split(" "),
  ..."test/fixtures/run.js tests/test_orders.py".split(" "),
];

test("a name shows whether a file is data, and neither source nor configuration", () => {
  const isData = (path: string) =>
    isDataFile({ path, category: categoryOf(path), language: languageOf(path) });
  assert.deepEqual(
    DATA.filter((path) => !isData(path)),
    [],
  );
  assert.deepEqual(OTHERS.filter(isData), []);
});
