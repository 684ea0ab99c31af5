/** The linters: each checks a tiny file with a mistake, and must find it. */
import { DEFAULT_CONFIG } from "../../config/repo-config/default-config.ts";
import type { AnalyserName } from "../../linters/analyser.ts";
import type { AnalyserGap, AnalyserReport } from "../../linters/analyser-report.ts";
import type { Analysers, FileToAnalyse } from "../../linters/analysers.ts";
import { type CheckFinding, type DoctorCheck, failure, fine } from "../check.ts";

type Sample = { readonly path: string; readonly language: string; readonly lines: readonly string[] };

/** One mistake each. */
const SAMPLES: Readonly<Record<AnalyserName, Sample>> = {
  oxlint: { path: "sample.js", language: "javascript", lines: ["export const a = { b: 1, b: 2 };"] },
  ruff: { path: "sample.py", language: "python", lines: ["def run():", "    return undefined_name"] },
  shellcheck: { path: "sample.sh", language: "bash", lines: ["#!/bin/sh", "mv list.txt"] },
  actionlint: {
    path: ".github/workflows/sample.yml",
    language: "yaml",
    lines: [
      "on: push",
      "jobs:",
      "  a:",
      "    runs-on: ubuntu-latest",
      "    steps:",
      "      - run: echo ${{ steps.none.outputs.x }}",
    ],
  },
};

/** Starting all of them takes two seconds of CPU time, which a busy machine may not have for a while. */
const START_LIMIT_MS = 180_000;

export function createLintersCheck(open: () => Promise<Analysers>): DoctorCheck {
  return {
    name: "linters",
    limitMs: START_LIMIT_MS,
    async run(signal) {
      const analysers = await open();
      const samples = Object.values(SAMPLES).map(toFile);
      const { reports } = await analysers.analyse(samples, signal);
      return Object.keys(SAMPLES).map((name) =>
        judgeLinter(
          name,
          reports.find((report) => report.name === name),
        ),
      );
    },
  };
}

function toFile({ path, language, lines }: Sample): FileToAnalyse {
  return {
    path,
    language,
    text: `${lines.join("\n")}\n`,
    added: new Set(lines.map((_, index) => index + 1)),
    isTest: false,
    config: DEFAULT_CONFIG,
  };
}

function judgeLinter(name: string, report: AnalyserReport | undefined): CheckFinding {
  const gap = report?.gaps[0];
  if (report !== undefined && gap === undefined && report.findings > 0)
    return fine(`${name} ${report.version ?? ""} starts and finds a mistake.`.replace("  ", " "));
  if (report !== undefined && gap?.reason === "not-installed")
    return failure("linter-missing", {
      what: `${name} isn't installed, so reviews of its files are incomplete.`,
      remedy: `Run \`npm install ${report.package}\` where Kodiai is installed, without --omit=optional.`,
    });
  return failure("linter-failed", {
    what: `${name} ${describeGap(gap)}, so reviews of its files are incomplete.`,
    remedy: "Reinstall Kodiai. If that doesn't help, report it with this line.",
  });
}

function describeGap(gap: AnalyserGap | undefined): string {
  if (gap === undefined) return "didn't find the mistake in a sample";
  switch (gap.reason) {
    case "time":
      return "took too long for a sample";
    case "memory":
      return "ran out of memory on a sample";
    default:
      return `didn't check a sample (${gap.reason}${gap.message === null ? "" : `: ${gap.message}`})`;
  }
}
