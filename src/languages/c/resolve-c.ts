/** C and C++: an include is a file next to the including one, or below an include folder, which only the build knows. */
import { containingFolder } from "../../base/containing-folder.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { joinPaths, type FileTree } from "../resolve/file-tree.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

/** A name that more files have, such as config.h, says nothing. */
const MAX_CANDIDATES = 8;

/** Headers that angle brackets take from the system even when the repository has one with the same name. */
const SYSTEM_HEADERS: ReadonlySet<string> = new Set(
  `aio arpa assert complex cpio ctype dirent dlfcn endian err errno fcntl fenv float fnmatch ftw getopt glob grp iconv ifaddrs inttypes
  iso646 langinfo libgen limits linux locale malloc math memory monetary mqueue net netdb netinet nl_types poll pthread pwd regex
  sched search semaphore setjmp signal spawn stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string strings
  stropts sys syslog tar termios tgmath threads time trace uchar ucontext ulimit unistd utime utmpx wchar wctype windows winsock2 wordexp`.split(
    /\s+/,
  ),
);

export function createCResolver(_input: ResolverInput, tree: FileTree): LanguageResolver {
  const bySpecifier = new Map<string, Resolution>();

  function filesEndingWith(specifier: string): readonly string[] {
    const found = tree
      .filesNamed(fileNameOf(specifier))
      .filter((path) => path === specifier || path.endsWith(`/${specifier}`));
    return found.length > MAX_CANDIDATES ? [] : found;
  }

  /** A header that the build makes has a template with its name. */
  function findBySuffix(specifier: string): Resolution {
    const found = filesEndingWith(specifier);
    if (found.length > 0) return { paths: found, isExact: found.length === 1 };
    return { paths: filesEndingWith(`${specifier}.in`), isExact: false };
  }

  function resolveBySuffix(specifier: string): Resolution {
    const known = bySpecifier.get(specifier) ?? findBySuffix(specifier);
    bySpecifier.set(specifier, known);
    return known;
  }

  return {
    resolve(from, { specifier, kind }) {
      if (kind === "system") {
        const top = /^[^/.]*/.exec(specifier)?.[0] ?? "";
        if (!specifier.includes(".") || SYSTEM_HEADERS.has(top)) return UNRESOLVED;
        return resolveBySuffix(specifier);
      }
      const near = joinPaths(containingFolder(from), specifier);
      if (near !== null && tree.hasFile(near)) return { paths: [near], isExact: true };
      return resolveBySuffix(specifier.replace(/^(?:\.{1,2}\/)+/, ""));
    },
    resolveUnimported: null,
  };
}
