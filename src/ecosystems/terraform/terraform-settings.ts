/** .terraformrc: mirrors, and hosts whose services are elsewhere. */
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";
import { type HclBody, parseHcl } from "./hcl.ts";

export const terraformSettings: SourceFormat = {
  path: /^(.*\/)?(?:\.terraformrc|terraform\.rc)$/,
  read(text) {
    const root = parseHcl(text);
    return root === null ? null : addressesIn(root).map(forAll);
  },
};

function addressesIn({ attributes, blocks }: HclBody): readonly string[] {
  const own = attributes.flatMap(({ name, value }) => {
    if (value.kind === "object") return addressesIn(value.body);
    const isAddress = name === "url" || (value.kind === "text" && value.value.includes("://"));
    return isAddress ? [value.kind === "text" ? value.value : ""] : [];
  });
  return [...own, ...blocks.flatMap(({ body }) => addressesIn(body))];
}
