import assert from "node:assert/strict";
import { test } from "node:test";
import { checkNeverThrows, readWith, showNeeds, showPackages } from "../../../test/support/show-packages.ts";
import { GO } from "./go.ts";

const GO_MOD = `module example.com/demo

go 1.22.1

toolchain go1.23.0

require github.com/pkg/errors v0.9.1

require (
	golang.org/x/net v0.17.0 // indirect
	"github.com/old/thing" v1.0.0+incompatible // indirect; needed by x
	example.com/forked v1.4.0 // a note
	example.com/near v0.0.0-20240101000000-abcdefabcdef
)

replace (
	example.com/forked v1.4.0 => github.com/me/forked v1.4.1-fix
	example.com/near => ../near
	golang.org/x/net => golang.org/x/net v0.23.0
)

replace example.com/deep => github.com/me/deep v0.1.0

exclude example.com/bad v1.0.0
retract v0.1.0 // broken
`;

const GO_SUM = `github.com/pkg/errors v0.8.1 h1:old=
github.com/pkg/errors v0.8.1/go.mod h1:oldmod=
github.com/pkg/errors v0.9.1 h1:new=
github.com/pkg/errors v0.9.1/go.mod h1:newmod=
golang.org/x/net v0.9.0 h1:nine=
golang.org/x/net v0.17.0/go.mod h1:netmod=
golang.org/x/net v0.10.0 h1:ten=
`;

const CASES: readonly (readonly [
  name: string,
  path: string,
  text: string,
  expected: readonly string[] | string,
])[] = [
  [
    "go.mod",
    "a/go.mod",
    GO_MOD,
    [
      "7: github.com/pkg/errors v0.9.1",
      "19: golang.org/x/net v0.23.0 (v0.17.0) indirect",
      "11: github.com/old/thing v1.0.0+incompatible indirect",
      "17: example.com/forked v1.4.0 git github.com/me/forked # v1.4.1-fix",
      "18: example.com/near v0.0.0-20240101000000-abcdefabcdef local ../near",
      "22: example.com/deep git github.com/me/deep # v0.1.0 [replace]",
      "3: go (1.22.1)",
      "5: toolchain 1.23.0",
    ],
  ],
  ["half a go.mod", "go.mod", "module a\n\nrequire (\n\texample.com/a v1.0.0\n", "malformed"],
  ["a module without a version", "go.mod", "module a\nrequire example.com/a\n", "malformed"],
  ["no go.mod", "go.mod", "hello\n", "malformed"],
  ["a conflict", "go.mod", "module a\n<<<<<<< HEAD\n", "conflict-markers"],
  [
    "go.work",
    "go.work",
    "go 1.22\n\nuse (\n\t./a\n\t./b\n)\n\nreplace example.com/a => example.com/b v1.0.0\n",
    ["8: example.com/a git example.com/b # v1.0.0 [replace]", "1: go (1.22)"],
  ],
  ["go.sum", "go.sum", GO_SUM, ["github.com/pkg/errors v0.9.1", "golang.org/x/net v0.10.0"]],
  ["an empty go.sum", "go.sum", "", []],
  ["a go.sum without a hash", "go.sum", "github.com/pkg/errors v0.8.1\n", "malformed"],
];

test("dependency files of Go are read", () => {
  for (const [name, path, text, expected] of CASES)
    assert.deepEqual(showPackages(readWith(GO.formats, path, text)), expected, name);
});

test("go.mod says what the module itself requires", () => {
  assert.deepEqual(showNeeds(readWith(GO.formats, "go.mod", GO_MOD)), [
    " → github.com/pkg/errors v0.9.1, example.com/forked v1.4.0, example.com/near v0.0.0-20240101000000-abcdefabcdef",
  ]);
});

const COMPLETE: readonly (readonly [string, true | undefined])[] = [
  ["module a\ngo 1.16\n", undefined],
  ["module a\ngo 1.17\n", true],
  ["module a\ngo 1.22.1\n", true],
  ["module a\ngo 2.0\n", true],
  ["module a\n", undefined],
];

test("go.mod lists every module since Go 1.17", () => {
  for (const [text, expected] of COMPLETE) {
    const file = readWith(GO.formats, "go.mod", text);
    assert.equal(typeof file === "string" ? file : file.isComplete, expected, text);
  }
});

test("go.sum has the checksums of all versions", () => {
  const file = readWith(
    GO.formats,
    "go.sum",
    `${GO_SUM}example.com/a v1.0.0 h1:x=\nexample.com/a v1.0.0 h2:y=\n`,
  );
  assert.ok(typeof file !== "string");
  assert.equal(file.checksums?.size, 8);
  assert.equal(file.checksums.get("github.com/pkg/errors v0.8.1/go.mod"), "h1:oldmod=");
  assert.equal(file.checksums.get("example.com/a v1.0.0"), "h1:x= h2:y=");
});

test("damaged dependency files of Go are refused", () => {
  checkNeverThrows(
    GO.formats,
    CASES.map(([, path, text]) => [path, text] as const),
  );
});
