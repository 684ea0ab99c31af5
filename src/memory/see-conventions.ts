/** Conventions that a repository's tests follow. Pure. It reports only those that nearly all files agree on. */

/** Fewer files could agree by chance. */
const MIN_FILES = 20;
const MIN_SHARE = 0.9;

/** Extensions with more files come first; the rest says little about the repository. */
const MAX_EXTENSIONS = 5;

export type SeenConvention = {
  /** Stays the same while the convention holds: `test-names:ts`. */
  readonly name: string;
  readonly text: string;
  /** Globs of the files it applies to. */
  readonly paths: readonly string[];
  /** Places that show it: `src/a.ts:12`. At least three. */
  readonly evidence: readonly string[];
};

const MAX_EVIDENCE = 3;

const CODE =
  /^(?<stem>[\w-]+)(?<rest>(?:\.[\w-]+)*)\.(?<extension>[cm]?[jt]sx?|py|go|rb|rs|java|kt|cs|php|swift)$/;

type NamedFile = {
  readonly path: string;
  readonly folder: string;
  readonly extension: string;
  /** `*.test.ts`; null for a file that isn't a test. */
  readonly testName: string | null;
};

/** `paths` should be those of the base: a change must not set a convention for its own review. */
export function seeConventions(paths: Iterable<string>): readonly SeenConvention[] {
  const files = [...paths].flatMap((path) => toNamedFile(path) ?? []);
  const byExtension = [...Map.groupBy(files, ({ extension }) => extension)]
    .filter(([, own]) => own.length >= MIN_FILES)
    .toSorted(([a, those], [b, these]) => these.length - those.length || (a < b ? -1 : 1))
    .slice(0, MAX_EXTENSIONS);
  return byExtension.flatMap(([extension, own]) => {
    const tests = own.filter(({ testName }) => testName !== null);
    const glob = [`*.${extension}`];
    const testName = agreedOn(tests.map((test) => test.testName));
    const named = tests.filter((test) => testName === null || test.testName === testName);
    const evidence = named.slice(0, MAX_EVIDENCE).map(({ path }) => path);
    const testFolder = agreedOn(tests.map(({ folder }) => topFolderOf(folder)));
    return [
      ...(testName === null
        ? []
        : [
            {
              name: `test-names:${extension}`,
              text: `Tests are named \`${testName}\`.`,
              paths: glob,
              evidence,
            },
          ]),
      ...(testFolder === null || !/^(?:tests?|specs?|__tests__)$/.test(testFolder)
        ? []
        : [
            {
              name: `test-folder:${extension}`,
              text: `Tests named *.${extension} are in \`${testFolder}/\`.`,
              paths: glob,
              evidence,
            },
          ]),
    ];
  });
}

function toNamedFile(path: string): NamedFile | null {
  const end = path.lastIndexOf("/");
  const groups = CODE.exec(path.slice(end + 1))?.groups;
  if (groups === undefined) return null;
  const { stem = "", rest = "", extension = "" } = groups;
  const suffix = /\.(?:test|spec)$/.exec(rest)?.[0];
  const joined = /[_-](?:test|spec)$/.exec(stem)?.[0];
  const prefix = /^test_/.exec(stem)?.[0];
  const testName =
    suffix !== undefined
      ? `*${suffix}.${extension}`
      : joined !== undefined
        ? `*${joined}.${extension}`
        : prefix !== undefined
          ? `${prefix}*.${extension}`
          : null;
  return { path, folder: path.slice(0, Math.max(0, end)), extension, testName };
}

function topFolderOf(folder: string): string {
  return folder.split("/", 1)[0] ?? "";
}

/** The value that nearly all share; null without one. Null entries don't count. */
function agreedOn(values: readonly (string | null)[]): string | null {
  const counted = values.filter((value) => value !== null);
  if (counted.length < MIN_FILES) return null;
  const [best] = [...Map.groupBy(counted, (value) => value)].toSorted(([, a], [, b]) => b.length - a.length);
  if (best === undefined) return null;
  return best[1].length / counted.length >= MIN_SHARE ? best[0] : null;
}
