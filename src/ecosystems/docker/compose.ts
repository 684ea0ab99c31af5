/** Compose files: the images of their services. */
import type { FileFormat } from "../ecosystem.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { fileOf, readWhole } from "../formats/list-package.ts";
import { readYamlLines } from "../formats/yaml-lines.ts";
import { parseImage } from "./parse-image.ts";
import { substituteVariables } from "./substitute-variables.ts";

const FILE_NAME = /^(?:docker-|podman-)?compose(?:[._-].+)?\.ya?ml$/i;

export const composeFile: FileFormat = {
  name: "Compose file",
  ecosystem: "docker",
  kind: "manifest",
  isFor: (path) => FILE_NAME.test(fileNameOf(path)),
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
