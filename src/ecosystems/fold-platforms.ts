/** Packages that are one program for many platforms, shown as one: 25 rows of `@esbuild/…` say the same. */
import type { ReportedPackage } from "./dependency-report.ts";

/** "linux-x64", "darwin_arm64", "win32-ia32-msvc", at the end of a name. */
const PLATFORM =
  /(?:^|[-_/])(?:aix|android|darwin|macos|apple|freebsd|netbsd|openbsd|openharmony|linux|linuxmusl|musl|sunos|win32|windows|wasm32|wasm)(?:[-_](?:x64|ia32|x86|x86_64|i686|arm|arm64|armhf|armv[67]|aarch64|riscv64|ppc64|ppc64le|powerpc64|powerpc64le|mips64el|loong64|loongarch64|s390x|universal|gnu|glibc|musl|msvc|gnueabihf|musleabihf|eabi|wasi|wasip1|threads|gnullvm))*$/;

export type FoldedPackage = {
  readonly reported: ReportedPackage;
  /** For other platforms, with the same step. They have no facts of their own. */
  readonly platforms: readonly ReportedPackage[];
};

/** In the same order. The package that they belong to takes them in if it's there with the same versions, else the first of them. */
export function foldPlatforms(packages: readonly ReportedPackage[]): readonly FoldedPackage[] {
  const owners = new Map<string, ReportedPackage>();
  for (const reported of packages) {
    if (!isPlatform(reported)) owners.set(`${reported.change.name}\u0000${stepOf(reported)}`, reported);
  }
  const members = new Map<ReportedPackage, ReportedPackage[]>();
  for (const reported of packages) {
    const key = `${reported.change.chain.at(-2)}\u0000${stepOf(reported)}`;
    const owner = isPlatform(reported) ? owners.get(key) : undefined;
    if (owner !== undefined) members.get(owner)?.push(reported);
    else {
      members.set(reported, members.get(reported) ?? []);
      if (isPlatform(reported)) owners.set(key, reported);
    }
  }
  return [...members].map(([reported, platforms]) => ({ reported, platforms }));
}

/** The two versions; packages of one program are released together. */
const stepOf = ({ change: { ecosystem, from, to } }: ReportedPackage): string =>
  `${ecosystem}\u0000${from?.version ?? ""}\u0000${to?.version ?? ""}`;

function isPlatform({ change, signals, advisories, history }: ReportedPackage): boolean {
  const hasFacts =
    signals.length > 0 || history.length > 0 || (advisories.kind === "found" && advisories.value.length > 0);
  return change.isDirect !== true && change.chain.length > 1 && !hasFacts && PLATFORM.test(change.name);
}
