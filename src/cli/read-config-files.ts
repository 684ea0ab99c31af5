/** Reads all configuration files of the working tree, root and nested. */
import { CONFIG_NAME, CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import type { ConfigTree } from "../config/repo-config/repo-config.ts";
import { parseConfigTree } from "../config/repo-config/parse-config.ts";
import type { CliDeps } from "./command.ts";

/** Same limit as for reviews. In a larger repository only the root file is read. */
const MAX_PATHS = 200_000;

export async function readConfigFiles(deps: CliDeps): Promise<ConfigTree> {
  const repository = await deps.code.openRepository();
  try {
    const revision = repository.root === null ? ({ commit: "HEAD" } as const) : "working-tree";
    const paths = (await repository.listPaths(revision, MAX_PATHS)) ?? [CONFIG_NAME];
    const wanted = paths.filter((path) => path === CONFIG_NAME || path.endsWith(`/${CONFIG_NAME}`));
    const texts = await repository.readFiles(revision, wanted, CONFIG_READ_BYTES);
    return parseConfigTree(
      [...texts].map(([path, latin1]) => ({ path, text: Buffer.from(latin1, "latin1") })),
    );
  } finally {
    repository.close();
  }
}
