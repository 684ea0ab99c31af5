/** Reads all configuration files of the working tree, root and nested. */
import { CONFIG_NAME, CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import type { ConfigTree } from "../config/repo-config/repo-config.ts";
import { type ConfigFile, parseConfigTree } from "../config/repo-config/parse-config.ts";
import type { CliDeps } from "./command.ts";

/** Same limit as for reviews. In a larger repository only the root file is read. */
const MAX_PATHS = 200_000;

/** `organization`: defaults of the repository's owner, in a file of the user. */
export async function readConfigFiles(
  deps: CliDeps,
  organization: ConfigFile | null = null,
): Promise<ConfigTree> {
  const repository = await deps.code.openRepository();
  try {
    const revision = repository.root === null ? ({ commit: "HEAD" } as const) : "working-tree";
    const paths = (await repository.listPaths(revision, MAX_PATHS)) ?? [CONFIG_NAME];
    const wanted = paths.filter((path) => path === CONFIG_NAME || path.endsWith(`/${CONFIG_NAME}`));
    const texts = await repository.readFiles(revision, wanted, CONFIG_READ_BYTES);
    return parseConfigTree(
      [...texts].map(([path, latin1]) => ({ path, text: Buffer.from(latin1, "latin1") })),
      organization,
    );
  } finally {
    repository.close();
  }
}
