/** Compose files: the images of their services. */
import type { FileFormat } from "../ecosystem.ts";
import { fileOf, readWhole } from "../formats/list-package.ts";
import { readYamlLines } from "../formats/yaml-lines.ts";
import { parseImage } from "./parse-image.ts";
import { substituteVariables } from "./substitute-variables.ts";

export const composeFile: FileFormat = {
  name: "Compose file",
  kind: "manifest",
  path: /(?:^|\/)(?:docker-|podman-)?compose(?:[._-][^/]+)?\.ya?ml$/i,
  read: readWhole((text) => {
    const lines = readYamlLines(text);
    if (lines.length > 0 && !lines.some(({ key }) => key !== null)) return null;
    return fileOf(
      lines.flatMap(({ key, value, indent, line }) => {
        if (key !== "image" || indent === 0) return [];
        const image = parseImage(
          substituteVariables(value, () => undefined),
          line,
        );
        return image === null ? [] : [image];
      }),
    );
  }),
};
