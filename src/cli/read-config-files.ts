/** Reads the configuration files of the working tree: the one at the root and nested ones. */
import type { ConfigTree } from "../config/repo-config/repo-config.ts";
import { parseConfigTree } from "../config/repo-config/parse-config.ts";
import type { CliDeps } from "./command.ts";

const MAX_CONFIG_BYTES = 64 * 1024 + 1;

/** As for reviews: a repository with more files is not listed. */
const MAX_PATHS = 200_000;

export async function readConfigFiles(deps: CliDeps): Promise<ConfigTree> {
  const repository = await deps.openRepository();
  try {
    const revision = repository.root === null ? ({ commit: "HEAD" } as const) : "working-tree";
    const paths = (await repository.listPaths(revision, MAX_PATHS)) ?? [".kodiai.yml"];
    const wanted = paths.filter((path) => path === ".kodiai.yml" || path.endsWith("/.kodiai.yml"));
    const texts = await repository.readFiles(revision, wanted, MAX_CONFIG_BYTES);
    return parseConfigTree(
      [...texts].map(([path, latin1]) => ({ path, text: Buffer.from(latin1, "latin1") })),
    );
  } finally {
    repository.close();
  }
}
