/** Commits of real repositories that change the version of a dependency, drawn by chance: the same in every run. */
import { spawnSync } from "node:child_process";
import { formatOf } from "../../src/ecosystems/all-ecosystems.ts";
import type { Chance } from "../../test/support/chance.ts";

/** Subjects of bots and of people who write like them: "Bump react from 17.0.2 to 18.0.0", "chore(deps): update dependency vite to v5". */
const SUBJECT = /\b(?:bump|update|upgrade)s?\b.*?(?:\bfrom v?(\d[\w.+-]*))? to v?(\d[\w.+-]*)/i;

/** The project's own version, and versions that no manifest of an ecosystem has. */
const OTHER_VERSIONS = /\b(?:version|versions|node\.?js|digest)\b|^Revert\b/i;

/** Older commits are ignored, because registries and package managers change. */
const NEWEST_COMMITS = 3_000;

export type DrawnBump = {
  readonly commit: string;
  readonly subject: string;
  /** By the subject alone: another first number, or below 1.0 another second one. Breaking bumps are rare, so half of the draw has them. */
  readonly step: "large" | "any";
};

export function drawBumps(folder: string, chance: Chance, count: number): readonly DrawnBump[] {
  const git = (...args: readonly string[]): string =>
    spawnSync("git", ["--git-dir", folder, ...args], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
  const named = git("log", "--no-merges", `--max-count=${NEWEST_COMMITS}`, "--format=%H %s", "HEAD")
    .trim()
    .split("\n")
    .map((line) => ({ commit: line.slice(0, 40), subject: line.slice(41) }))
    .filter(({ subject }) => SUBJECT.test(subject) && !OTHER_VERSIONS.test(subject));
  const drawn: DrawnBump[] = [];
  const draw = (step: DrawnBump["step"], from: typeof named, until: number): void => {
    while (from.length > 0 && drawn.length < until) {
      const [bump] = from.splice(chance.below(from.length), 1);
      if (bump === undefined || drawn.some(({ commit }) => commit === bump.commit)) continue;
      const paths = git("show", "--format=", "--name-only", bump.commit).trim().split("\n");
      if (paths.some((path) => formatOf(path) !== null)) drawn.push({ ...bump, step });
    }
  };
  const large = named.filter(({ subject }) => isLarge(subject));
  draw("large", large, Math.floor(count / 2));
  draw("any", [...named], count);
  return drawn;
}

/** Renovate names only the first number of a major. */
function isLarge(subject: string): boolean {
  const [, from, to = ""] = SUBJECT.exec(subject) ?? [];
  if (from === undefined) return /^\d+$/.test(to);
  const [before, after] = [from.split("."), to.split(".")];
  return before[0] !== after[0] || (after[0] === "0" && before[1] !== after[1]);
}
