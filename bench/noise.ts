/**
 * Measures how often the built-in rules report something on published code: successive releases of popular npm packages, diffed and
 * reviewed. Prints findings per 1,000 added lines, by rule, and writes them to a file. Uses the npm registry that npm is configured with.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testRepository } from "../test/support/test-repository.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";

const entry = join(dirname(import.meta.dirname), "bin/kodiai.js");

/** Packages that publish hand-written code, with the releases to compare. */
const PACKAGES: readonly (readonly [name: string, from: string, to: string])[] = [
  ["express", "4.17.3", "5.1.0"],
  ["koa", "2.13.4", "3.0.0"],
  ["fastify", "4.28.1", "5.3.3"],
  ["commander", "11.1.0", "13.1.0"],
  ["yargs", "16.2.0", "17.7.2"],
  ["axios", "0.27.2", "1.7.9"],
  ["ws", "7.5.10", "8.18.0"],
  ["undici", "5.28.4", "6.21.1"],
  ["knex", "2.5.1", "3.1.0"],
  ["sequelize", "6.28.0", "6.37.5"],
  ["mongoose", "7.8.3", "8.9.5"],
  ["pino", "8.21.0", "9.6.0"],
  ["winston", "3.8.2", "3.17.0"],
  ["socket.io", "4.5.4", "4.8.1"],
  ["mocha", "9.2.2", "11.1.0"],
  ["eslint", "8.57.1", "9.18.0"],
  ["webpack", "5.76.3", "5.97.1"],
  ["rollup-plugin-terser", "5.3.1", "7.0.2"],
  ["mysql2", "2.3.3", "3.12.0"],
  ["pg", "8.7.3", "8.13.1"],
  ["redis", "3.0.2", "3.1.2"],
  ["ioredis", "4.28.5", "5.4.2"],
  ["jsonwebtoken", "8.5.1", "9.0.2"],
  ["passport", "0.5.3", "0.7.0"],
  ["helmet", "5.1.1", "8.0.0"],
  ["body-parser", "1.19.2", "2.0.2"],
  ["send", "0.17.2", "1.1.0"],
  ["debug", "3.2.7", "4.4.0"],
  ["semver", "6.3.1", "7.6.3"],
  ["glob", "7.2.3", "8.1.0"],
  ["rimraf", "2.7.1", "3.0.2"],
  ["npm", "9.9.4", "10.9.2"],
  ["tar", "5.0.11", "6.2.1"],
  ["nodemailer", "6.7.8", "6.9.16"],
  ["multer", "1.4.4", "2.0.0"],
  ["async", "2.6.4", "3.2.6"],
  ["bluebird", "3.5.5", "3.7.2"],
  ["request", "2.81.0", "2.88.2"],
  ["nodemon", "2.0.22", "3.1.9"],
  ["forever-agent", "0.5.2", "0.6.1"],
  ["puppeteer-core", "19.11.1", "24.1.1"],
  ["lodash", "4.17.10", "4.17.21"],
  ["moment", "2.24.0", "2.30.1"],
];

/** Skips published bundles, which a review doesn't contain. */
const SKIPPED =
  "review:\n  mode: strict\n  maxComments: 50\n  skipPaths: ['dist/**', 'build/**', 'umd/**', '**/*.min.js', '**/bundle*', 'package/dist/**']\n";

type Found = {
  package: string;
  path: string;
  startLine: number;
  rule: string;
  severity: string;
  title: string;
  quote: string;
};

export async function noise(): Promise<void> {
  const downloads = mkdtempSync(join(tmpdir(), "kodiai-noise-"));
  const found: Found[] = [];
  let lines = 0;
  let compared = 0;
  try {
    for (const [name, from, to] of PACKAGES) {
      const made = testRepository();
      try {
        for (const version of [from, to]) {
          made.git("rm", "-r", "-q", "--ignore-unmatch", ".");
          unpack(`${name}@${version}`, downloads, made.path);
          made.write(".kodiai.yml", SKIPPED);
          made.commit(version);
        }
        const run = spawnSync(process.execPath, [entry, "review", "--commit", "HEAD", "-f", "json"], {
          cwd: made.path,
          encoding: "utf8",
          maxBuffer: 1 << 30,
        });
        const output = JSON.parse(run.stdout);
        lines += output.receipt.coverage.reviewedLines;
        for (const finding of output.findings) found.push({ package: name, ...finding });
        compared++;
        console.log(
          `  ${name} ${from} → ${to}: ${output.receipt.coverage.reviewedLines} lines, ${output.findings.length} findings`,
        );
      } catch (error) {
        console.log(
          `  ${name}: skipped, ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`,
        );
      } finally {
        made.remove();
      }
    }
  } finally {
    rmSync(downloads, { recursive: true, force: true });
  }
  const sample = join(tmpdir(), "kodiai-noise.json");
  writeFileSync(sample, JSON.stringify(found, null, 1));
  for (const [rule, hits] of Map.groupBy(found, (each) => each.rule))
    console.log(`  ${String(hits.length).padStart(5)} ${rule}`);
  console.log(`  ${compared} packages, ${lines} added lines, ${found.length} findings, written to ${sample}`);
  judge(LIMITS.noise, found.length / (lines / 1000));
}

function unpack(spec: string, downloads: string, into: string): void {
  const listing = execFileSync(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", downloads, spec],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28 },
  );
  const [packed] = JSON.parse(listing) as [{ filename: string }];
  mkdirSync(into, { recursive: true });
  execFileSync("tar", ["-xzf", join(downloads, packed.filename), "-C", into, "--strip-components=1"]);
}
