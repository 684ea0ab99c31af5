/** Registries in memory, for tests of everything that uses them. It records every name that would have been sent. */
import type { Registries } from "../../src/registries/registries.ts";
import type { Advisory, Lookup, PackageId, Release } from "../../src/ecosystems/lookups.ts";
import { ecosystemOf } from "../../src/ecosystems/all-ecosystems.ts";

export type FakePackage = PackageId & {
  readonly version: string;
  readonly release?: Partial<Release>;
  readonly files?: Readonly<Record<string, string>>;
  /** The changelog's text about this version. */
  readonly note?: string;
  readonly advisories?: readonly Advisory[];
};

export type FakeRegistries = Registries & {
  /** "npm left-pad 1.3.0", in the order of the calls. */
  readonly asked: readonly string[];
};

const NO_RELEASE: Release = {
  publishedAt: null,
  hasInstallScript: null,
  publishers: null,
  repository: null,
  folder: null,
  isWithdrawn: null,
  isUnpublished: null,
  deprecation: null,
  licence: null,
  hasProvenance: null,
  maintainers: null,
};

export const UNPUBLISHED: Release = { ...NO_RELEASE, isUnpublished: true };

const LATE = { kind: "failed", reason: "time" } as const;

export function createFakeRegistries(packages: readonly FakePackage[]): FakeRegistries {
  const asked: string[] = [];
  const isOf = (one: PackageId, other: PackageId): boolean =>
    one.ecosystem === other.ecosystem && one.name === other.name;
  function find<Value>(
    id: PackageId,
    version: string,
    { signal, read }: { readonly signal: AbortSignal; readonly read: (found: FakePackage) => Lookup<Value> },
  ): Lookup<Value> {
    if (signal.aborted) return LATE;
    asked.push(`${id.ecosystem} ${id.name} ${version}`);
    const found = packages.find((one) => isOf(one, id) && one.version === version);
    return found === undefined ? { kind: "absent" } : read(found);
  }
  return {
    asked,
    readRelease: async (id, version, signal) => {
      const release = find<Release>(id, version, {
        signal,
        read: (found) => ({ kind: "found", value: { ...NO_RELEASE, ...found.release } }),
      });
      const isKnown = packages.some((one) => isOf(one, id));
      return release.kind === "absent" && isKnown ? { kind: "found", value: UNPUBLISHED } : release;
    },
    readSource: async (id, version, { wants, signal }) =>
      find(id, version, {
        signal,
        read: ({ files = {} }) => ({
          kind: "found",
          value: new Map(Object.entries(files).filter(([path]) => wants(path))),
        }),
      }),
    readChangelog: async (id, { from, to }, signal) =>
      find(id, to, {
        signal,
        read: () => {
          const { compare } = ecosystemOf(id.ecosystem).order;
          const notes = packages
            .filter(
              (one) =>
                isOf(one, id) &&
                (compare(one.version, from) ?? 0) > 0 &&
                (compare(one.version, to) ?? 1) <= 0,
            )
            .sort((one, other) => compare(other.version, one.version) ?? 0)
            .flatMap(({ version, note }) => (note === undefined ? [] : [{ version, text: note, url: null }]));
          return notes.length === 0
            ? { kind: "absent" }
            : { kind: "found", value: { origin: "archive", notes, compareUrl: null } };
        },
      }),
    readAdvisories: async (wanted, signal) => ({
      source: { name: "offline", newest: "2024-01-31T12:00:00.000Z" },
      versions: wanted.map(({ id, version }) => {
        const read = (): Lookup<readonly Advisory[]> => {
          const affecting = packages.filter((one) => isOf(one, id) && one.version === version);
          return { kind: "found", value: affecting.flatMap(({ advisories = [] }) => advisories) };
        };
        return { id, version, advisories: signal.aborted ? LATE : read() };
      }),
    }),
  };
}
