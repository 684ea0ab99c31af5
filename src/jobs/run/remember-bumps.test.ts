/** A later review learns what became of dependency bumps: merged, closed, or reverted by another pull request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { samplePublication } from "../../../test/support/sample-publication.ts";
import type { PullRequest } from "../../forge/forge.ts";
import type { DependencyReport, ReportedPackage } from "../../ecosystems/dependency-report.ts";
import type { EcosystemId } from "../../ecosystems/ecosystem.ts";
import type { PackageVersion } from "../../ecosystems/package-change.ts";
import type { Database } from "../../store/database.ts";
import { createPastBumps, rememberBumps, settlePullRequest } from "./remember-bumps.ts";

const REPOSITORY = 42;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

/** The nth day. */
const day = (number: number): number => START_MS + number * DAY_MS;
const dateOf = (number: number): string => new Date(day(number)).toISOString();

function pullRequestOf(number: number, more: Partial<PullRequest> = {}): PullRequest {
  return {
    repositoryRef: {
      host: "github.com",
      installationId: 7,
      forgeId: REPOSITORY,
      repositoryId: REPOSITORY,
      owner: "acme",
      name: "shop",
    },
    number,
    title: "",
    body: "",
    isOpen: true,
    mergedAt: null,
    mergedBy: null,
    isDraft: false,
    isLocked: false,
    head: `head-${number}`,
    headLabel: "acme:feature",
    headRef: "topic",
    baseRef: "main",
    base: "base",
    isFork: false,
    isPrivate: true,
    author: { login: "ada", isBot: false },
    association: "MEMBER",
    updatedAt: 1,
    url: "https://github.example/acme/shop/pull/7",
    ...more,
  };
}

const versionOf = (version: string): PackageVersion => ({
  version,
  requirement: null,
  origin: { kind: "registry", url: null },
  integrity: null,
  hasInstallScript: null,
});

type Step = readonly [name: string, from: string | null, to: string | null, ecosystem?: EcosystemId];

function reportOf(steps: readonly Step[]): DependencyReport {
  const unknown = { kind: "failed", reason: "offline" } as const;
  const confidence = { level: "high", reasons: [] } as const;
  const packages = steps.map(([name, from, to, ecosystem = "npm"]): ReportedPackage => ({
    change: {
      ecosystem,
      name,
      from: from === null ? null : versionOf(from),
      to: to === null ? null : versionOf(to),
      kind: "minor",
      isBreaking: false,
      group: "runtime",
      chain: [name],
      isDirect: true,
      places: [],
      signals: [],
    },
    release: unknown,
    advisories: unknown,
    changelog: unknown,
    compareUrl: null,
    api: unknown,
    uses: null,
    concerns: null,
    signals: [],
    history: [],
    confidence,
  }));
  const nothing = { bot: null, disagreements: [], unread: [], advisorySource: null };
  return { ...nothing, extent: "pure", packages, confidence };
}

type Event =
  | { readonly reviewed: number; readonly steps: readonly Step[] }
  | { readonly merged: number; readonly on: number; readonly body?: string }
  | { readonly closed: number };

async function play(events: readonly Event[], database: Database): Promise<void> {
  for (const event of events) {
    if ("reviewed" in event) {
      const publication = { ...samplePublication(), dependencies: reportOf(event.steps) };
      await rememberBumps({ pullRequest: pullRequestOf(event.reviewed), publication }, database);
    } else if ("merged" in event) {
      const merged = { isOpen: false, mergedAt: day(event.on), body: event.body ?? "" };
      await settlePullRequest(pullRequestOf(event.merged, merged), database);
    } else await settlePullRequest(pullRequestOf(event.closed, { isOpen: false }), database);
  }
}

const UP: readonly Event[] = [
  { reviewed: 1, steps: [["a", "1.0.0", "2.0.0"]] },
  { merged: 1, on: 1 },
];

/** The next review of package "a" shows these, newest first. */
const CASES: readonly (readonly [title: string, events: readonly Event[], shown: readonly string[]])[] = [
  ["merged", UP, ["1.0.0 → 2.0.0"]],
  ["open", UP.slice(0, 1), []],
  ["closed", [...UP.slice(0, 1), { closed: 1 }], []],
  [
    "taken back by a bump to the earlier version",
    [...UP, { reviewed: 2, steps: [["a", "2.0.0", "1.0.0"]] }, { merged: 2, on: 3 }],
    ["2.0.0 → 1.0.0", "1.0.0 → 2.0.0 reverted on day 3"],
  ],
  [
    "taken back below it",
    [...UP, { reviewed: 2, steps: [["a", "2.1.0", "0.9.0"]] }, { merged: 2, on: 3 }],
    ["2.1.0 → 0.9.0", "1.0.0 → 2.0.0 reverted on day 3"],
  ],
  [
    "taken back in part only",
    [...UP, { reviewed: 2, steps: [["a", "2.0.0", "1.5.0"]] }, { merged: 2, on: 3 }],
    ["2.0.0 → 1.5.0", "1.0.0 → 2.0.0"],
  ],
  [
    "the way back was closed, not merged",
    [...UP, { reviewed: 2, steps: [["a", "2.0.0", "1.0.0"]] }, { closed: 2 }],
    ["1.0.0 → 2.0.0"],
  ],
  [
    "another folder comes up to where it began",
    [...UP, { reviewed: 2, steps: [["a", "0.5.0", "1.0.0"]] }, { merged: 2, on: 3 }],
    ["0.5.0 → 1.0.0", "1.0.0 → 2.0.0"],
  ],
  [
    "another package goes back",
    [...UP, { reviewed: 2, steps: [["b", "2.0.0", "1.0.0"]] }, { merged: 2, on: 3 }],
    ["1.0.0 → 2.0.0"],
  ],
  [
    "the same name of another ecosystem goes back",
    [...UP, { reviewed: 2, steps: [["a", "2.0.0", "1.0.0", "pypi"]] }, { merged: 2, on: 3 }],
    ["1.0.0 → 2.0.0"],
  ],
  [
    "the events arrive in another order",
    [
      UP[0] as Event,
      { reviewed: 2, steps: [["a", "2.0.0", "1.0.0"]] },
      { merged: 2, on: 3 },
      { merged: 1, on: 1 },
    ],
    ["2.0.0 → 1.0.0", "1.0.0 → 2.0.0 reverted on day 3"],
  ],
  [
    "reverted by its number, without a review",
    [...UP, { merged: 9, on: 4, body: "It broke.\r\n\r\nReverts acme/shop#1\r\n" }],
    ["1.0.0 → 2.0.0 reverted on day 4"],
  ],
  [
    "reverted by a short number",
    [...UP, { merged: 9, on: 4, body: "Reverts #1" }],
    ["1.0.0 → 2.0.0 reverted on day 4"],
  ],
  [
    "the revert is of another repository or only mentioned",
    [
      ...UP,
      { merged: 9, on: 4, body: "Reverts acme/other#1" },
      { merged: 8, on: 4, body: "This Reverts #1 in part" },
      { merged: 7, on: 4, body: "Reverts #12" },
    ],
    ["1.0.0 → 2.0.0"],
  ],
  [
    "commits are compared by name",
    [
      { reviewed: 1, steps: [["a", "c0ffee", "bada55"]] },
      { merged: 1, on: 1 },
      { reviewed: 2, steps: [["a", "bada55", "c0ffee"]] },
      { merged: 2, on: 2 },
    ],
    ["bada55 → c0ffee", "c0ffee → bada55 reverted on day 2"],
  ],
  [
    "a push changed the bump, and added and removed packages aren't bumps",
    [
      UP[0] as Event,
      {
        reviewed: 1,
        steps: [
          ["a", null, "1.0.0"],
          ["a", "1.0.0", null],
          ["a", "1.0.0", "1.0.0"],
          ["a", "1.0.0", "1.1.0"],
        ],
      },
      { merged: 1, on: 1 },
    ],
    ["1.0.0 → 1.1.0"],
  ],
  [
    "only the newest five are shown",
    Array.from({ length: 8 }, (_, index): readonly Event[] => [
      { reviewed: index + 1, steps: [["a", `${index}.0.0`, `${index + 1}.0.0`]] },
      { merged: index + 1, on: index },
    ]).flat(),
    ["7.0.0 → 8.0.0", "6.0.0 → 7.0.0", "5.0.0 → 6.0.0", "4.0.0 → 5.0.0", "3.0.0 → 4.0.0"],
  ],
];

for (const engine of ENGINES)
  for (const [title, events, shown] of CASES)
    test(`${engine.name}: an earlier bump: ${title}`, () =>
      withStore(engine, async ({ database }) => {
        await play(events, database);
        const past = await createPastBumps(REPOSITORY, database)([{ ecosystem: "npm", name: "a" }]);
        const days = new Map(Array.from({ length: 10 }, (_, number) => [dateOf(number), number]));
        assert.deepEqual(
          past.map(
            ({ from, to, revertedAt }) =>
              `${from} → ${to}${revertedAt === null ? "" : ` reverted on day ${days.get(revertedAt)}`}`,
          ),
          shown,
        );
        assert.ok(past.every(({ name, mergedAt }) => name === "a" && days.has(mergedAt)));
        assert.deepEqual(await createPastBumps(1, database)([{ ecosystem: "npm", name: "a" }]), []);
      }));
