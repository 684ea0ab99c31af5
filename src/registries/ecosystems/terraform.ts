/** Providers of the Terraform registry. */
import { type Downloads, failedLookup } from "../downloads.ts";
import { textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import { type PackageRegistry, readDescription, releaseWith } from "./package-registry.ts";

const ORIGIN = "https://registry.terraform.io";

/** `namespace/type`. Other registries have a host in front; modules have three parts. */
const NAME = /^(?:registry\.terraform\.io\/)?([\w-]+)\/([\w-]+)$/;

export function createTerraformRegistry(downloads: Downloads): PackageRegistry {
  return {
    isName: (name) => NAME.test(name),
    async readRelease(name, version, signal) {
      const [, namespace = "", type = ""] = NAME.exec(name) ?? [];
      const path = [namespace, type, version].map(encodeURIComponent).join("/");
      return releaseWith(
        await readDescription(downloads, `${ORIGIN}/v1/providers/${path}`, { has: "version", signal }),
        (value) => ({
          publishedAt: timeAt(value, "published_at"),
          repository: firstGithubRepository([textAt(value, "source")]).repository,
        }),
      );
    },
    readSource: async () => failedLookup("unsupported"),
  };
}
