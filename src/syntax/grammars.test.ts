import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { isPackedFor, packGrammars } from "../../scripts/pack-grammars.ts";
import { findGrammars, type PackedGrammar, THIS_SYSTEM } from "./grammars.ts";

const work = mkdtempSync(join(tmpdir(), "kodiai-test-grammars-"));
after(() => rmSync(work, { recursive: true, force: true }));

const skip = isPackedFor(THIS_SYSTEM) ? false : `there are no grammars for ${THIS_SYSTEM}`;
const made = join(work, "made");
if (isPackedFor(THIS_SYSTEM)) packGrammars(made, [THIS_SYSTEM]);

let copies = 0;

/** A package's folder with fresh archives. */
function freshArchives(): string {
  const folder = join(work, `archives-${++copies}`);
  cpSync(made, folder, { recursive: true });
  return folder;
}

function listOf(archives: string): readonly PackedGrammar[] {
  return JSON.parse(readFileSync(join(archives, `${THIS_SYSTEM}.json`), "utf8"));
}

/** As where the package's folder is read-only. The superuser can write everywhere, but not replace a folder with a file. */
function closeForWriting(archives: string): void {
  for (const { language, sha256 } of listOf(archives))
    mkdirSync(join(archives, `${language}-${sha256.slice(0, 16)}.so/in-the-way`), { recursive: true });
}

const ALL = "bash c cpp csharp go java kotlin php python ruby rust".split(" ");

/** The folder of all libraries that were found. */
function folderOf(found: ReturnType<typeof findGrammars>): string {
  assert.deepEqual(Object.keys(found.grammars).toSorted(), ALL);
  const folders = new Set(Object.values(found.grammars).map(({ libraryPath }) => dirname(libraryPath)));
  const [folder, ...others] = folders;
  assert.ok(folder !== undefined && others.length === 0, [...folders].join());
  return folder;
}

test("the sources find the grammars in their packages", { skip }, () => {
  const { grammars } = findGrammars({ archives: join(work, "missing"), cacheFolder: null });
  assert.deepEqual(Object.keys(grammars).toSorted(), ALL);
});

test("an archive is unpacked once, into the package's own folder", { skip }, () => {
  const archives = freshArchives();
  const first = findGrammars({ archives, cacheFolder: join(work, "unused") });
  assert.equal(folderOf(first), archives);
  assert.equal(readdirSync(archives).length, ALL.length + 2, "no unfinished file is left");
  // The second search can't unpack.
  rmSync(join(archives, `${THIS_SYSTEM}.br`));
  assert.equal(folderOf(findGrammars({ archives, cacheFolder: null })), archives);
});

test("without a writable package, it is unpacked into the user's cache", { skip }, () => {
  const archives = freshArchives();
  closeForWriting(archives);
  const cacheFolder = join(work, "cache");
  for (let round = 1; round <= 2; round++) {
    assert.equal(folderOf(findGrammars({ archives, cacheFolder })), join(cacheFolder, "grammars"));
    // The second round finds the files.
    rmSync(join(archives, `${THIS_SYSTEM}.br`), { force: true });
  }
});

test(
  "libraries that another user could have written aren't loaded",
  { skip: skip || process.getuid === undefined },
  () => {
    const archives = freshArchives();
    closeForWriting(archives);
    const cacheFolder = join(work, "shared-cache");
    folderOf(findGrammars({ archives, cacheFolder }));
    chmodSync(join(cacheFolder, "grammars"), 0o777);
    const { grammars, release } = findGrammars({ archives, cacheFolder });
    const folder = folderOf({ grammars, release });
    assert.ok(folder.startsWith(join(tmpdir(), "kodiai-grammars-")), folder);
    release();
    assert.throws(() => statSync(folder), { code: "ENOENT" });
  },
);

test("nothing of a damaged archive is used", { skip }, () => {
  const damage: readonly ((archives: string) => void)[] = [
    (archives) => writeFileSync(join(archives, `${THIS_SYSTEM}.br`), "no archive"),
    (archives) => rmSync(join(archives, `${THIS_SYSTEM}.br`)),
    (archives) => {
      const [first, ...others] = listOf(archives);
      const list = [{ ...first, sha256: "0".repeat(64) }, ...others];
      writeFileSync(join(archives, `${THIS_SYSTEM}.json`), JSON.stringify(list));
    },
  ];
  for (const apply of damage) {
    const archives = freshArchives();
    apply(archives);
    assert.deepEqual(findGrammars({ archives, cacheFolder: null }).grammars, {});
    assert.equal(readdirSync(archives).filter((name) => name.endsWith(".so")).length, 0);
  }
});

test(
  "a library that this system can't load is left out, and the parser works with the others",
  { skip },
  () => {
    const archives = freshArchives();
    folderOf(findGrammars({ archives, cacheFolder: null }));
    const go = listOf(archives).find(({ language }) => language === "go");
    writeFileSync(
      join(archives, `go-${go?.sha256.slice(0, 16)}.so`),
      Buffer.alloc(go?.bytes ?? 0, "no library"),
    );
    const script = `
    import { parse, registerDynamicLanguage } from "@ast-grep/napi";
    import { findGrammars } from ${JSON.stringify(new URL("grammars.ts", import.meta.url).href)};
    const { grammars } = findGrammars(${JSON.stringify({ archives, cacheFolder: null })});
    registerDynamicLanguage(grammars);
    console.log(Object.keys(grammars).join(), parse("python", "def f(): pass").root().kind());
  `;
    const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
    const others = ALL.filter((each) => each !== "go").join();
    assert.deepEqual([run.stderr, run.stdout], ["", `${others} module\n`]);
  },
);
