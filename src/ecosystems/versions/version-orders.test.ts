import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import compareVersions from "semver/functions/compare.js";
import parse from "semver/functions/parse.js";
import { ECOSYSTEM_IDS, type EcosystemId } from "../ecosystem.ts";
import { ecosystemOf } from "../all-ecosystems.ts";
import { lowestNamed, stepBetween } from "./step-between.ts";

/** Each list ascends strictly. They are the orders that the ecosystems publish for their own implementations. */
const ASCENDING: readonly (readonly [EcosystemId, string])[] = [
  [
    "npm",
    "1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 2.0.0 2.1.0 2.1.1",
  ],
  ["cargo", "0.1.0 0.1.1-alpha.1 0.1.1 0.2.0 1.0.0-rc.1 1.0.0"],
  ["hex", "1.0.0-dev 1.0.0 1.0.1 1.10.0"],
  ["terraform", "4.9.0 4.67.0 5.0.0-beta1 5.0.0"],
  ["pub", "1.2.3-dev.1 1.2.3 1.2.3+1 1.2.3+2 1.2.4"],
  [
    "go",
    "v0.0.0-20180101000000-aaaaaaaaaaaa v0.0.0-20190101000000-bbbbbbbbbbbb v0.1.0 v1.2.3-0.20200101000000-cccccccccccc v1.2.3-pre v1.2.3-pre.0.20200102000000-dddddddddddd v1.2.3 v1.2.4-0.20210101000000-eeeeeeeeeeee v2.0.0+incompatible",
  ],
  [
    "pypi",
    "1.dev0 1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345 1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 1.0.15 1.1.dev1 1!0.1",
  ],
  [
    "rubygems",
    "0.0.beta 0.0.beta.1 0.0.beta.2 1.8.2.a 1.8.2.a9 1.8.2.a10 1.8.2.b 1.8.2 1.8.2.1 1.10 5.a 5.0.0.rc2 5.x 5.0.0",
  ],
  [
    "maven",
    "1-alpha2snapshot 1-alpha2 1-alpha-123 1-beta-2 1-beta123 1-m2 1-m11 1-rc 1-cr2 1-rc123 1-SNAPSHOT 1 1-sp 1-sp2 1-sp123 1-abc 1-def 1-pom-1 1-1-snapshot 1-1 1-2 1-123",
  ],
  [
    "maven",
    "2.0 2.0.a 2-1 2.0.2 2.0.123 2.1.0 2.1-a 2.1b 2.1-c 2.1-1 2.1.0.1 2.2 2.123 11.a2 11.a11 11.b2 11.b11 11.m2 11.m11 11 11.a 11b 11c 11m",
  ],
  ["maven", "4.9.9.RELEASE 5.0.0.RELEASE 5.3.0-M1 5.3.0-RC1 5.3.0 31.0-jre 20040616 20230618113000000000000"],
  ["nuget", "1.0.0-Alpha 1.0.0-alpha.1 1.0.0-beta.2 1.0.0-beta.11 1.0.0 1.0.0.1 1.0.1 1.10.0.5"],
  ["composer", "1.0.0-dev 1.0.0-alpha1 1.0.0-beta 1.0.0-beta2 1.0.0-RC1 1.0.0 1.0.0-p1 1.0.1 v2.0"],
  ["github-actions", "v3 v3.6.0 v4 v4.1.1"],
  ["docker", "3.9-slim 3.11-slim 3.12.1-slim"],
];

const EQUAL: readonly (readonly [EcosystemId, string, string])[] = [
  ["npm", "v1.2.3", "1.2.3"],
  ["npm", "1.2.3+build.1", "1.2.3"],
  ["go", "v2.0.0+incompatible", "v2.0.0"],
  ["pypi", "1.0", "1.0.0"],
  ["pypi", "1.0-1", "1.0.post1"],
  ["pypi", "1.0c1", "1.0rc1"],
  ["rubygems", "1.0", "1.0.0"],
  ["rubygems", "0.beta.1", "0.0.beta.1"],
  ["maven", "1.0.0", "1"],
  ["maven", "1-ga", "1"],
  ["maven", "1.0.FINAL", "1"],
  ["maven", "1a1", "1-alpha-1"],
  ["maven", "1m3", "1-milestone-3"],
  ["maven", "1cr4", "1rc4"],
  ["maven", "2.0.7", "2.0.07"],
  ["nuget", "1.0", "1.0.0.0"],
  ["nuget", "1.0.0-BETA", "1.0.0-beta"],
  ["composer", "v1.0", "1.0.0.0"],
  ["composer", "1.0.0-a1", "1.0.0-alpha1"],
  ["github-actions", "v4", "v4.0.0"],
];

const INCOMPARABLE: readonly (readonly [EcosystemId, string, string])[] = [
  ["npm", "latest", "1.0.0"],
  ["npm", "1.0.0", "workspace:*"],
  ["pypi", "not a version", "1.0"],
  ["composer", "dev-main", "1.0.0"],
  ["github-actions", "v4", "11bd71901bbe5b1630ceea73d27597364c9af683"],
  ["github-actions", "main", "v4"],
  ["docker", "3.12-slim", "3.12-alpine"],
  ["docker", "1234567", "1234568"],
];

for (const [ecosystem, list] of ASCENDING) {
  test(`version order of ${ecosystem}: ${list.slice(0, 40)}`, () => {
    const versions = list.split(" ");
    const { compare } = ecosystemOf(ecosystem).order;
    for (const [at, low] of versions.entries()) {
      for (const high of versions.slice(at + 1)) {
        assert.ok((compare(low, high) ?? 0) < 0, `${low} < ${high}`);
        assert.ok((compare(high, low) ?? 0) > 0, `${high} > ${low}`);
      }
    }
  });
}
for (const [ecosystem, one, other] of EQUAL) {
  test(`version order of ${ecosystem}: ${one} equals ${other}`, () => {
    assert.equal(Math.abs(ecosystemOf(ecosystem).order.compare(one, other) ?? Number.NaN), 0);
  });
}
for (const [ecosystem, one, other] of INCOMPARABLE) {
  test(`version order of ${ecosystem}: ${one} and ${other} have none`, () => {
    assert.equal(ecosystemOf(ecosystem).order.compare(one, other), null);
    assert.equal(stepBetween(ecosystem, one, other).kind, "unknown");
  });
}
test("version order is total and antisymmetric for any text", () => {
  const text = fc.stringMatching(/^[vV]?[\w.+-]{0,20}$/);
  fc.assert(
    fc.property(fc.constantFrom(...ECOSYSTEM_IDS), text, text, (ecosystem, one, other) => {
      const { compare } = ecosystemOf(ecosystem).order;
      const [there, back] = [compare(one, other), compare(other, one)];
      assert.equal(there === null, back === null);
      assert.equal(Math.sign(there ?? 0) + Math.sign(back ?? 0), 0);
    }),
  );
});

test("versions of three numbers have the order and numbers that semver gives them", () => {
  const version = fc.stringMatching(/^ ?0{0,2}[0-9]{1,17}(?:\.[0-9]{1,17}){2}$/);
  const near = fc.stringMatching(/^[0-2](?:\.[0-2]){2}$/);
  fc.assert(
    fc.property(fc.oneof(version, near), fc.oneof(version, near), (one, other) => {
      const { compare, numbersOf } = ecosystemOf("npm").order;
      const [parsed, otherParsed] = [parse(one, { loose: true }), parse(other, { loose: true })];
      const expected = parsed === null || otherParsed === null ? null : compareVersions(one, other, true);
      const actual = compare(one, other);
      assert.equal(actual === null ? null : Math.sign(actual), expected);
      assert.deepEqual(numbersOf(one), parsed && [0, parsed.major, parsed.minor, parsed.patch]);
    }),
  );
});

const STEPS: readonly (readonly [EcosystemId, string, string, string, boolean])[] = [
  ["npm", "1.2.3", "1.2.4", "patch", false],
  ["npm", "1.2.3", "1.3.0", "minor", false],
  ["npm", "1.2.3", "2.0.0", "major", true],
  ["npm", "0.2.3", "0.3.0", "minor", true],
  ["npm", "0.2.3", "0.2.4", "patch", false],
  ["npm", "2.0.0", "1.9.0", "downgrade", true],
  ["npm", "2.0.1", "2.0.0", "downgrade", false],
  ["npm", "1.0.0-rc.1", "1.0.0", "patch", false],
  ["pypi", "2024.1", "2024.2", "minor", false],
  ["pypi", "1.0", "1!1.0", "major", true],
  ["go", "v1.48.7", "v1.48.12", "patch", false],
  ["rubygems", "7.0.4", "7.1.0", "minor", false],
  ["pypi", "24.3.0", "25.1.0", "major", false],
  ["npm", "24.3.0", "25.1.0", "major", true],
  ["maven", "2.7.18", "3.0.0", "major", true],
  ["maven", "92", "93", "major", false],
  ["github-actions", "v3", "v4", "major", true],
  ["docker", "20-alpine", "22-alpine", "major", true],
  ["nuget", "6.0.0.1", "6.0.0.2", "patch", false],
];
for (const [ecosystem, from, to, kind, isBreaking] of STEPS) {
  test(`stepBetween ${ecosystem} ${from} to ${to} is ${kind}`, () => {
    assert.deepEqual(stepBetween(ecosystem, from, to), { kind, isBreaking });
  });
}

const RANGES: readonly (readonly [EcosystemId, string, string, boolean | null])[] = [
  ["npm", "1.4.0", "^1.2.0", true],
  ["npm", "2.0.0", "^1.2.0", false],
  ["npm", "1.0.0", "latest", null],
  ["cargo", "1.4.0", "1.2", true],
  ["cargo", "2.0.0", "1.2", false],
  ["cargo", "1.3.0", ">=1.2, <1.5", true],
  ["pypi", "2.31.0", ">=2,<3", true],
  ["pypi", "3.0", "~=2.1", false],
  ["pypi", "1.0", "anything", null],
  ["rubygems", "7.1.2", "~> 7.0", true],
  ["rubygems", "8.0.0", "~> 7.0", false],
  ["rubygems", "1.2", ">= 1.0, < 2", true],
  ["go", "v1.5.0", "v1.4.0", true],
  ["maven", "1.0", "[1.0,2.0)", null],
];
for (const [ecosystem, version, requirement, expected] of RANGES) {
  test(`satisfies ${ecosystem} ${version} in ${requirement}`, () => {
    assert.equal(ecosystemOf(ecosystem).order.satisfies(version, requirement), expected);
  });
}

for (const [requirement, expected] of [
  ["^1.0.3", "1.0.3"],
  [">=2,<3", "2"],
  [">=1.2.0 <2.0.0", "1.2.0"],
  ["<3, >=2.1", "2.1"],
  ["!=1.5, ~=1.4", "1.4"],
  ["~> 7.0.4", "7.0.4"],
  ["1.x || 2.x", "1.x"],
  ["*", null],
  ["latest", null],
] as const) {
  test(`lowestNamed of ${requirement}`, () => {
    assert.equal(lowestNamed(requirement), expected);
  });
}
