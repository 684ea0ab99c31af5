/** Indexes the head of the repository in the current folder. The arguments are the cache folder and the module of the reader. */
import { enableCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { openCodeIndex } from "../../src/code-index/open-code-index.ts";
import { createReaderProcess } from "../../src/reading/process/reader-process.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";

// As the program does; the reader uses it too.
if (process.argv[2] !== undefined) enableCompileCache(`${process.argv[2]}-compiled`);
const { signal } = new AbortController();
const repository = await openRepository(process.cwd(), { PATH: process.env["PATH"] ?? "" }, signal);
const cacheFolder = process.argv[2] ?? null;
const reader = createReaderProcess(pathToFileURL(process.argv[3] ?? ""), signal, cacheFolder);
const index = openCodeIndex({ repository, reader, cacheFolder });
const head = { commit: "HEAD" };
const files = (await repository.listFiles(head, 200_000, { maxMs: 600_000, signal })) ?? [];
const { known, read, failed, cacheProblem } = await index.readFacts(head, files, { signal });
console.log(`${known} known, ${read} read, ${failed.length} failed, ${cacheProblem ?? "no problem"}`);
index.close();
reader.close();
repository.close();
