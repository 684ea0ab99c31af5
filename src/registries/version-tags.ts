/** Finds the tags of one package among all tags of a repository, which can have many packages. */

export type VersionTag = { readonly tag: string; readonly version: string };

/** `v1.2.3`, `name@1.2.3`, `name-v1.2.3`, `folder/v1.2.3`. The shortest prefix counts. */
const TAG = /^(.*?)[-_/@]?v?(\d+\.\d[\w.+-]*|\d+)$/i;
const MAX_TAG_CHARS = 200;

/** Prefixes that name no package. */
const PLAIN_PREFIXES = new Set(["", "release", "releases", "rel", "version", "ver", "r"]);

/** The package's own tags if it has some, else those without a package's name. */
export function chooseTags(
  tags: readonly string[],
  name: string,
  folder: string | null,
): readonly VersionTag[] {
  const names = new Set([
    name,
    name.split(/[/:]/).at(-1) ?? "",
    folder ?? "",
    folder?.split("/").at(-1) ?? "",
  ]);
  names.delete("");
  const parsed = tags.flatMap((tag) => {
    const [, prefix = "", version] = tag.length <= MAX_TAG_CHARS ? (TAG.exec(tag) ?? []) : [];
    return version === undefined ? [] : [{ tag, version, prefix }];
  });
  const own = parsed.filter(({ prefix }) => names.has(prefix));
  return own.length > 0 ? own : parsed.filter(({ prefix }) => PLAIN_PREFIXES.has(prefix.toLowerCase()));
}

export function tagOf(tags: readonly VersionTag[], isWanted: (version: string) => boolean): string | null {
  return tags.find(({ version }) => isWanted(version))?.tag ?? null;
}
