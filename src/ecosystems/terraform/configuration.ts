/** Terraform and OpenTofu configurations: required providers and modules. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { parseHcl, type HclAttribute, type HclBlock, type HclBody } from "./hcl.ts";
import { pinnedProvider, splitSource } from "./provider-name.ts";

export const terraformConfiguration: FileFormat = {
  name: "Terraform configuration",
  kind: "manifest",
  path: /\.(?:tf|tofu)$/,
  read: readWhole((text) => {
    const body = parseHcl(text);
    return body === null ? null : fileOf(body.blocks.flatMap(readBlock));
  }),
};

function readBlock(block: HclBlock): readonly Listed[] {
  if (block.type === "terraform")
    return block.body.blocks.filter(({ type }) => type === "required_providers").flatMap(readProviders);
  return block.type === "module" ? readModule(block) : [];
}

type Field = { readonly value: string; readonly line: number };

function fieldOf(body: HclBody, name: string): Field | null {
  const attribute = body.attributes.find((each) => each.name === name);
  return attribute?.value.kind === "text" ? { value: attribute.value.value, line: attribute.line } : null;
}

function readProviders({ body }: HclBlock): readonly Listed[] {
  return body.attributes.flatMap(readProvider);
}

/** `aws = { source = "hashicorp/aws", version = "~> 5.0" }`, or only the constraint before Terraform 0.13. */
function readProvider({ name: local, value, line }: HclAttribute): readonly Listed[] {
  const fields = value.kind === "object" ? value.body : null;
  const source = fields === null ? null : fieldOf(fields, "source");
  const named = splitSource(source?.value ?? `hashicorp/${local}`, 2);
  const version =
    value.kind === "text"
      ? { value: value.value, line }
      : fields === null
        ? null
        : fieldOf(fields, "version");
  if (named === null) return [];
  return [
    listPackage(named.name, {
      version: pinnedProvider(version?.value ?? ""),
      requirement: version?.value ?? null,
      origin: { kind: "registry", url: named.host },
      line: version?.line ?? line,
    }),
  ];
}

function readModule({ body, labels }: HclBlock): readonly Listed[] {
  const source = fieldOf(body, "source");
  if (source === null || source.value.startsWith(".") || source.value.startsWith("/")) return [];
  const key = labels[0] ?? "";
  const [address, path] = splitSubmodule(source.value);
  const named = splitSource(address, 3);
  if (named === null) return readRemoteModule(address, source, key);
  const version = fieldOf(body, "version");
  return [
    listPackage(named.name, {
      version: pinnedProvider(version?.value ?? ""),
      requirement: version?.value ?? null,
      origin: { kind: "registry", url: named.host },
      line: version?.line ?? source.line,
      key: `${key}${path}`,
      isOutsideLock: true,
    }),
  ];
}

/** `terraform-aws-modules/iam/aws//modules/role` names a folder inside the module; so do addresses of repositories. */
function splitSubmodule(source: string): readonly [string, string] {
  const scheme = source.indexOf("://");
  const at = source.indexOf("//", scheme === -1 ? 0 : scheme + 3);
  if (at === -1) return [source, ""];
  const query = source.indexOf("?", at);
  const path = query === -1 ? source.slice(at) : source.slice(at, query);
  return [`${source.slice(0, at)}${query === -1 ? "" : source.slice(query)}`, path];
}

const REPOSITORY = /^(?:git::|git@|github\.com\/|bitbucket\.org\/|gitlab\.com\/)/;

/** Modules from a repository: `git::https://…?ref=v1.2`, `github.com/owner/name?ref=v1.2`. */
function readRemoteModule(address: string, source: Field, key: string): readonly Listed[] {
  if (!REPOSITORY.test(address)) return [];
  const [location = "", query = ""] = address.replace(/^git::/, "").split("?", 2);
  const url = withoutCredentials(location).replace(/\.git$/, "");
  const [, ref = null] = /(?:^|&)ref=([^&]+)/.exec(query) ?? [];
  return [listPackage(url, { version: ref, origin: { kind: "git", url, ref }, line: source.line, key })];
}
