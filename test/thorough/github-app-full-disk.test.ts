/** The disk with the clones is full: reviews wait, their jobs say why, and they go on when there is room. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { eventually } from "../support/eventually.ts";
import { createScenario, ONE_REVIEW } from "../support/app/scenario.ts";

/** Room for a few copies of the sample repository. */
const DISK_BYTES = 2 * 1024 * 1024;

const BLOCK_BYTES = 4_096;

/** Makes a fetch larger than the room of the last row. */
const NOISE_BYTES = 300 * 1024;

/** Longer than a job waits before it looks at the disk again. */
const WAIT_MS = 10 * 60 * 1_000;

/** Only root can mount a disk of its own size. */
function whyNoDisk(): string | false {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-disk-"));
  try {
    mountDisk(folder);
    execFileSync("umount", [folder]);
    return false;
  } catch {
    return "a small disk can't be mounted here";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mountDisk(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder], { stdio: "pipe" });
}

/** The App with its clones on a disk of their own. */
async function openFullDisk(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "kodiai-disk-"));
  mountDisk(folder);
  const scenario = await createScenario(t, { environment: { KODIAI_DATA: folder } });
  // The hooks of the scenario, which stop its processes, run first.
  t.after(() => {
    execFileSync("umount", ["--lazy", folder], { stdio: "pipe" });
    rmSync(folder, { recursive: true });
  });
  const filler = join(folder, "filler");
  return {
    scenario,
    clones: join(folder, "repositories"),
    fill: (leftBlocks: number): void => {
      const { bavail, bsize } = statfsSync(folder);
      assert.equal(bsize, BLOCK_BYTES);
      writeFileSync(filler, Buffer.alloc((bavail - leftBlocks) * BLOCK_BYTES));
    },
    free: () => rmSync(filler),
  };
}

const skip = whyNoDisk();

/**
 * With no room git can't even begin; with a little, it fails at different steps, and not always with the cause. The job of the first row
 * fails more often than a job may fail in any other way.
 */
for (const [leftBlocks, attempts] of [
  [0, 16],
  [2, 2],
  [5, 2],
  [64, 2],
] as const)
  test(
    `with ${leftBlocks * BLOCK_BYTES} bytes left for clones, a review waits without giving up, and goes on when there is room`,
    { skip },
    async (t) => {
      const { scenario, fill, free } = await openFullDisk(t);
      const { fake, repository } = scenario;
      await fake.commit(repository, { "noise.txt": randomBytes(NOISE_BYTES).toString("hex") });
      const app = await scenario.start();
      fill(leftBlocks);
      await scenario.send("opened");
      const failures = (): number => app.output().split('"message":"job failed"').length - 1;
      for (let attempt = 1; attempt <= attempts; attempt++) {
        await eventually("the job to wait", async () => {
          const [job] = await scenario.jobs();
          return failures() === attempt && job?.state === "queued";
        });
        if (attempt < attempts) await scenario.passTime(WAIT_MS);
      }
      const [waiting] = await scenario.jobs();
      assert.equal(waiting?.reason, "failed:disk-full: the disk with the clones is full");
      assert.match(
        app.output(),
        /Free up space on the disk with [^"]*repositories, or lower KODIAI_CACHE_GB/,
      );
      assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
      free();
      await scenario.passTime(WAIT_MS);
      const [job] = await scenario.settled();
      assert.deepEqual([job?.state, job?.reason], ["done", "published"]);
      assert.deepEqual(scenario.published(), ONE_REVIEW);
      scenario.check();
    },
  );

test("clones that no review uses make room for one that does", { skip }, async (t) => {
  const { scenario, clones, fill } = await openFullDisk(t);
  await scenario.start();
  const old = join(clones, "7.git");
  mkdirSync(old, { recursive: true });
  writeFileSync(join(old, "pack"), Buffer.alloc(DISK_BYTES / 4));
  writeFileSync(join(clones, "7.use"), "");
  const hourAgo = Date.now() / 1_000 - 3_600;
  utimesSync(join(clones, "7.use"), hourAgo, hourAgo);
  fill(2);
  await scenario.send("opened");
  const [job] = await scenario.settled();
  assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "published", 1]);
  assert.ok(!existsSync(old));
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});
