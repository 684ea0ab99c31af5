/** `kodiai review --sarif FILE`: reads the results of other tools. */
import { relative } from "node:path";
import { badSarif, MAX_SARIF_BYTES, parseSarif, type SarifLog } from "../linters/sarif/parse-sarif.ts";
import { mapSarif } from "../linters/sarif/map-sarif.ts";
import { printable } from "../base/printable.ts";
import type { Change } from "../review/change/change.ts";
import type { SarifReport } from "../review/findings/sarif-report.ts";
import type { CliDeps, CliFiles } from "./command.ts";

export type OpenedSarif = {
  /** `root`: of the working tree; null when there is none. */
  report(change: Change, root: string | null): readonly SarifReport[];
};

export async function readSarif(
  paths: readonly string[],
  deps: Pick<CliDeps, "files" | "cwd">,
): Promise<OpenedSarif> {
  const logs: SarifLog[] = [];
  for (const path of paths) {
    const name = path === "-" ? "standard input" : path;
    logs.push(parseSarif(await readBytes(path, name, deps.files), name));
  }
  return {
    report(change, root) {
      const roots = [...(root === null ? [] : [root]), deps.cwd];
      const folder = root === null ? "" : relative(root, deps.cwd).replaceAll("\\", "/");
      return logs.map((log) => mapSarif(log, { change, roots, folder }));
    },
  };
}

/** As a stream: `--sarif <(tool)` is a pipe without a size. */
async function readBytes(path: string, name: string, { readInput }: CliFiles) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readInput(path)) {
    bytes += chunk.length;
    if (bytes > MAX_SARIF_BYTES) {
      throw badSarif(
        `${printable(name)} is larger than ${MAX_SARIF_BYTES / 1_000_000} MB`,
        "Run the tool on the changed files only, or leave code snippets out of its report.",
      );
    }
    chunks.push(Buffer.from(chunk, "latin1"));
  }
  return Buffer.concat(chunks);
}
