/** mix.lock: the packages of an Elixir project with their checksums and requirements. */
import type { DependencyFile, FileFormat, Listed } from "../ecosystem.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { lazily, needsWithoutRoots } from "../formats/needs.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { openList, parseTerm, type Term } from "./elixir-terms.ts";

export const mixLock: FileFormat = {
  name: "mix.lock",
  kind: "lockfile",
  path: /(?:^|\/)mix\.lock$/,
  read: readWhole((text) => {
    const root = parseTerm(text);
    // Elixir before 1.0 wrote a keyword list.
    if (root === null || (root.kind !== "map" && root.kind !== "list")) return null;
    return readEntries(root.pairs);
  }),
};

type LockedApp = { readonly entry: Listed; readonly needs: Term | undefined };

function readEntries(pairs: readonly (readonly [string, Term])[]): DependencyFile | "unknown-format-version" {
  const apps = new Map<string, LockedApp>();
  for (const [app, term] of pairs) {
    const locked = term.kind === "tuple" ? readLocked(app, term.items) : null;
    if (locked === null) return "unknown-format-version";
    apps.set(app, locked);
  }
  const locked = [...apps.values()];
  const listed = locked.map(({ entry }) => entry);
  const needs = lazily(() => new Map(locked.map((each) => [each.entry, each.needs])));
  const namesOf = (entry: Listed): readonly string[] =>
    openList(needs().get(entry)).items.flatMap((need) => apps.get(appOf(need))?.entry.name ?? []);
  return { listed, requested: null, needsOf: needsWithoutRoots(listed, namesOf) };
}

function readLocked(app: string, items: readonly Term[]): LockedApp | null {
  const texts = items.map((item) => ("value" in item ? item.value : ""));
  if (texts[0] === "hex" || texts[0] === "package") return readHex(app, items, texts);
  if (texts[0] !== "git" || texts[1] === undefined || texts[2] === undefined) return null;
  const tag = openList(items[3]).pairs.find(([key]) => key === "tag")?.[1];
  const entry = listPackage(app, {
    version: texts[2],
    origin: { kind: "git", url: withoutCredentials(texts[1]), ref: texts[2] },
    ...(tag?.kind === "text" ? { saidVersion: tag.value } : {}),
  });
  return { entry, needs: undefined };
}

/** `{:hex, :name, "version", "inner checksum", [managers], [needs], "repository", "outer checksum"}`; older ones end sooner. */
function readHex(app: string, items: readonly Term[], texts: readonly string[]): LockedApp | null {
  const [, name, version, inner, , , repository, outer] = texts;
  if (name === undefined || version === undefined || version === "") return null;
  const checksums = [inner ? `inner:${inner}` : "", outer ? `outer:${outer}` : ""].filter(
    (each) => each !== "",
  );
  const entry = listPackage(name, {
    version,
    origin: { kind: "registry", url: repository || null },
    integrity: checksums.join(" ") || null,
    key: app === name ? "" : app,
  });
  return { entry, needs: items[5] };
}

/** The application of `{:jason, "~> 1.0", [hex: :jason, repo: "hexpm", optional: true]}`. */
function appOf(need: Term): string {
  const app = need.kind === "tuple" ? need.items[0] : undefined;
  return app?.kind === "atom" ? app.value : "";
}
