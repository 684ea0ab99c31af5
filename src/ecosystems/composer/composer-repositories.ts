/** The repositories of composer.json. */
import { parseJsonObject, tableOf, textOf } from "../../base/documents/json-file.ts";
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

/** A repository in a folder of the project is local, which lockfiles say. */
const LOCAL_REPOSITORY = "path";

export const composerRepositories: SourceFormat = {
  path: /^(.*\/)?composer\.json$/,
  read(text) {
    const root = parseJsonObject(text);
    if (root === null) return null;
    const declared = root["repositories"];
    const repositories: readonly unknown[] = Array.isArray(declared)
      ? declared
      : Object.values(tableOf(declared) ?? {});
    return repositories.flatMap((value) => {
      const repository = tableOf(value);
      const [type, url] = [textOf(repository?.["type"]), textOf(repository?.["url"])];
      // `{ "packagist.org": false }` turns one off.
      const isSwitch = type === null && url === null;
      return repository === null || type === LOCAL_REPOSITORY || isSwitch ? [] : [forAll(url ?? "")];
    });
  },
};
