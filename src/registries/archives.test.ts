/** Archives of each format, and hostile ones. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  type ArchiveEntry,
  buildNested,
  buildTar,
  buildTarGz,
  buildZip,
} from "../../test/support/build-archives.ts";
import { ARCHIVE_LIMITS, type ArchiveFormat, type ArchiveOptions, readArchive } from "./archives.ts";
import { hasIntegrity, integrityOf } from "./integrity.ts";

const { signal } = new AbortController();
const ALL: ArchiveOptions = { root: "one-folder", wants: () => true, signal };

async function read(
  bytes: Buffer,
  format: ArchiveFormat,
  options: Partial<ArchiveOptions> = {},
  limits = ARCHIVE_LIMITS,
) {
  const source = await readArchive(bytes, format, { ...ALL, ...options }, limits);
  return source.kind === "found" ? Object.fromEntries(source.value) : source;
}

const failed = (reason: string) => ({ kind: "failed", reason });
const zipFile = (name: string, text: string) => ({ name, body: Buffer.from(text) });

test("each format gives the paths inside the package", async () => {
  const entries: readonly ArchiveEntry[] = [
    { name: "package/", type: "directory" },
    { name: "package/index.js", text: "export {};" },
    { name: "package/./lib//a.d.ts", text: "ä" },
  ];
  const expected = { "index.js": "export {};", "lib/a.d.ts": "ä" };
  assert.deepEqual(await read(await buildTarGz(entries), "tar.gz"), expected);
  assert.deepEqual(await read(await buildNested("data.tar.gz", entries), "gem"), expected);
  assert.deepEqual(await read(await buildNested("contents.tar.gz", entries), "hex"), expected);
  const zip = buildZip([
    zipFile("package/", ""),
    zipFile("package/index.js", "export {};"),
    zipFile("package/lib/a.d.ts", "ä"),
  ]);
  assert.deepEqual(await read(zip, "zip"), expected);
});

test("the root is none, one folder, or a prefix", async () => {
  const zip = buildZip([zipFile("example.org/m@v1.0.0/a.go", "a"), zipFile("other/b.go", "b")]);
  assert.deepEqual(await read(zip, "zip", { root: "none" }), {
    "example.org/m@v1.0.0/a.go": "a",
    "other/b.go": "b",
  });
  assert.deepEqual(await read(zip, "zip", { root: { prefix: "example.org/m@v1.0.0/" } }), { "a.go": "a" });
});

test("only wanted files are kept, and a long path is one path", async () => {
  const long = `package/${"folder/".repeat(40)}a.ts`;
  const archive = await buildTarGz([
    { name: long, text: "a" },
    { name: "package/b.js", text: "b" },
  ]);
  assert.deepEqual(await read(archive, "tar.gz", { wants: (path) => path.endsWith(".ts") }), {
    [long.slice(8)]: "a",
  });
});

test("a large file after skipped ones is read to its end", async () => {
  const chars = (length: number): string => randomBytes(length / 2).toString("hex");
  const sizes = [1_248, 14_124, 1_630, 224, 11_710, 24_192, 121_648, 9_806];
  const entries = sizes.map((size) => ({ name: `package/${size}`, text: chars(size) }));
  const archive = await buildTarGz(entries);
  for (const { name, text } of entries) {
    const path = name.slice(8);
    assert.deepEqual(await read(archive, "tar.gz", { wants: (other) => other === path }), { [path]: text });
  }
});

const SKIPPED: readonly ArchiveEntry[] = [
  { name: "package/../../etc/passwd", text: "no" },
  { name: "../package/a.js", text: "no" },
  { name: "/etc/passwd", text: "no" },
  { name: "C:/Windows/a.js", text: "no" },
  { name: String.raw`package\a.js`, text: "no" },
  { name: "package/a\u0001.js", text: "no" },
  { name: "package/link.js", type: "symlink" },
  { name: "package/hard.js", type: "link" },
  { name: "package/device", type: "character-device" },
  { name: "package/pipe", type: "fifo" },
  { name: `package/${"a/".repeat(1_000)}a.js`, text: "no" },
];

test("paths that lead elsewhere, links and devices aren't files of the package", async () => {
  const archive = await buildTarGz([...SKIPPED, { name: "package/good.js", text: "yes" }]);
  assert.deepEqual(await read(archive, "tar.gz"), { "good.js": "yes" });
});

test("a zip file's links are skipped, and paths that lead elsewhere spoil it", async () => {
  const link = { name: "package/link.js", body: Buffer.from("/etc/passwd"), mode: 0o120_777 };
  assert.deepEqual(await read(buildZip([link, zipFile("package/a.js", "a")]), "zip"), { "a.js": "a" });
  for (const name of ["../a.js", "package/../../a.js", "/etc/passwd", "C:/a.js"])
    assert.deepEqual(await read(buildZip([zipFile(name, "no")]), "zip"), failed("malformed"), name);
});

test("two wanted files with one path are malformed, in any spelling", async () => {
  for (const other of ["package/a.js", "package/./a.js", "package//a.js"])
    assert.deepEqual(
      await read(
        await buildTarGz([
          { name: "package/a.js", text: "1" },
          { name: other, text: "2" },
        ]),
        "tar.gz",
      ),
      failed("malformed"),
    );
  assert.deepEqual(
    await read(buildZip([zipFile("p/a", "1"), zipFile("p/a", "2")]), "zip"),
    failed("malformed"),
  );
});

const SMALL = { entries: 10, unpackedBytes: 64 * 1024, fileBytes: 1_000, keptBytes: 2_000 };
const text = (length: number): string => "x".repeat(length);

test("limits hold for entries, files, and everything", async () => {
  const files = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `package/${index}`, text: text(length) }));
  for (const [entries, expected] of [
    [files(10, 1), true],
    [files(11, 1), false],
    [files(1, 1_000), true],
    [files(1, 1_001), false],
    [files(2, 1_000), true],
    [files(3, 1_000), false],
  ] as const) {
    const zip = buildZip(entries.map(({ name, text }) => zipFile(name, text)));
    for (const archive of [read(await buildTarGz(entries), "tar.gz", {}, SMALL), read(zip, "zip", {}, SMALL)])
      if (expected) assert.equal(Object.keys(await archive).length, entries.length);
      else assert.deepEqual(await archive, failed("too-large"));
  }
});

test("a bomb is stopped while it is unpacked, also in a file that isn't wanted", async () => {
  const bomb = await buildTarGz([{ name: "package/zeros", text: "\0".repeat(50 * 1024 * 1024) }]);
  assert.ok(bomb.length < 100_000);
  assert.deepEqual(await read(bomb, "tar.gz", { wants: () => false }, SMALL), failed("too-large"));
  assert.deepEqual(await read(bomb, "tar.gz"), failed("too-large"));
  const zip = buildZip([{ name: "package/zeros", body: Buffer.alloc(50 * 1024 * 1024) }]);
  assert.deepEqual(await read(zip, "zip"), failed("too-large"));
  assert.deepEqual(await read(zip, "zip", { wants: () => false }), {});
});

test("a zip file that lies about sizes or entries is malformed or too large", async () => {
  const lie = (announcedBytes: number) =>
    buildZip([{ name: "p/a", body: Buffer.alloc(100_000), announcedBytes }]);
  assert.deepEqual(await read(lie(10), "zip"), failed("malformed"));
  assert.deepEqual(await read(lie(200_000), "zip"), failed("malformed"));
  const some = [zipFile("p/a", "a"), zipFile("p/b", "b")];
  assert.deepEqual(await read(buildZip(some, 60_000), "zip"), failed("too-large"));
  assert.deepEqual(await read(buildZip(some, 3), "zip"), failed("malformed"));
});

test("a file of a zip archive with another checksum is malformed", async () => {
  const archive = buildZip([zipFile("p/a", "a")]);
  const directory = archive.indexOf("PK\u0001\u0002");
  archive.writeUInt32LE(1, directory + 16);
  assert.deepEqual(await read(archive, "zip"), failed("malformed"));
});

test("a million entries are too many, soon", async () => {
  const [header] = [(await buildTar([{ name: "package/a", text: "" }])).subarray(0, 512)];
  // A gzip file may have many parts.
  const part = gzipSync(Buffer.alloc(512 * 10_000, header));
  const archive = Buffer.concat(Array.from({ length: 100 }, () => part));
  assert.deepEqual(await read(archive, "tar.gz", { wants: () => false }), failed("too-large"));
});

test("damaged archives are malformed, never empty", async () => {
  const tar = await buildTar([{ name: "package/a.js", text: text(5_000) }]);
  const archive = gzipSync(tar);
  const flipped = Buffer.from(tar);
  flipped.write("evil", 8);
  const gem = await buildNested("data.tar.gz", [{ name: "a.rb", text: "a" }]);
  for (const [what, bytes, format] of [
    ["a truncated gzip file", archive.subarray(0, archive.length - 9), "tar.gz"],
    ["a truncated tar file", gzipSync(tar.subarray(0, 2_000)), "tar.gz"],
    ["a changed header", gzipSync(flipped), "tar.gz"],
    ["no gzip file", Buffer.from("<html>"), "tar.gz"],
    ["no tar file", gzipSync(text(3_000)), "tar.gz"],
    ["nothing", gzipSync(""), "tar.gz"],
    ["no bytes", Buffer.alloc(0), "tar.gz"],
    ["no bytes of a zip file", Buffer.alloc(0), "zip"],
    ["no zip file", Buffer.from(text(3_000)), "zip"],
    ["a truncated zip file", buildZip([zipFile("p/a", text(3_000))]).subarray(10), "zip"],
    ["no inner archive", await buildNested("other.tar.gz", []), "gem"],
    ["a gem as hex", gem, "hex"],
    ["a truncated gem", gem.subarray(0, gem.length - 1_100), "gem"],
  ] as const)
    assert.deepEqual(await read(bytes, format), failed("malformed"), what);
});

test("an aborted signal ends reading", async () => {
  const archive = await buildTarGz([{ name: "package/a", text: "a" }]);
  for (const [bytes, format] of [
    [archive, "tar.gz"],
    [buildZip([zipFile("p/a", "a")]), "zip"],
  ] as const)
    assert.deepEqual(await read(bytes, format, { signal: AbortSignal.abort() }), failed("time"));
});

test("integrity is verified with the strongest algorithm", () => {
  const bytes = Buffer.from("a");
  const sha256 =
    integrityOf("sha256", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb") ?? "";
  for (const [integrity, expected] of [
    [sha256, true],
    [`${sha256}?size=1`, true],
    ["sha1-hvfkN/qlp/zhXR3cuerq6jd2Z7g=", true],
    [`sha1-hvfkN/qlp/zhXR3cuerq6jd2Z7g= ${sha256.replace("y", "z")}`, false],
    ["md5-DMF1ucDxtqgxw5niaXcmYQ==", false],
    ["", false],
  ] as const)
    assert.equal(hasIntegrity(bytes, integrity), expected, integrity);
  assert.equal(integrityOf("sha256", "not hexadecimal"), null);
});
