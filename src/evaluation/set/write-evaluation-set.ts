/** Writes a set to a folder: a new one, an empty one, or one with an earlier set of the same name, which it replaces as a whole. */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { KodiaiError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { parseJson } from "../../base/parse-json.ts";
import { type EvaluationCase, SET_FORMAT, type SetProblem } from "./evaluation-set.ts";
import { CaseFile, SetFile } from "./set-files.ts";

export type NewSet = {
  readonly name: string;
  readonly description: string;
  readonly licence: string;
  /** Of `commits`. */
  readonly cases: readonly EvaluationCase[];
};

/** A case that a reader would refuse, such as one with an odd path, is left out and returned as a problem. */
export async function writeEvaluationSet(folder: string, made: NewSet): Promise<readonly SetProblem[]> {
  const { cases, ...about } = made;
  await requireOwn(folder, about.name);
  const version = hashParts([JSON.stringify(cases)], 12);
  const making = `${folder}.new`;
  await rm(making, { recursive: true, force: true });
  makeFolders(join(making, "cases"), 0o700);
  await write(join(making, "set.json"), SetFile.parse({ format: SET_FORMAT, ...about, version }));
  const problems: SetProblem[] = [];
  for (const each of cases) {
    const { data, error } = CaseFile.safeParse(each);
    const [issue] = error?.issues ?? [];
    if (data !== undefined) await write(join(making, "cases", `${each.id}.json`), data);
    else problems.push({ where: each.id, problem: `${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}` });
  }
  await rm(folder, { recursive: true, force: true });
  await rename(making, folder);
  return problems;
}

async function write(path: string, value: object): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

/** A folder with anything else in it is the user's. */
async function requireOwn(folder: string, name: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new KodiaiError("io", `${folder} can't be used as a folder`, {
      hint: "Choose another folder with --to.",
    });
  });
  if (names.length === 0) return;
  const isSet = names.every((each) => each === "set.json" || each === "cases");
  const text = isSet ? await readFile(join(folder, "set.json"), "utf8").catch(() => "") : "";
  const found = SetFile.safeParse(parseJson(text));
  if (found.success && found.data.name === name) return;
  throw new KodiaiError("usage", `${folder} isn't empty, and isn't a set that this command made`, {
    hint: "Choose a new or an empty folder with --to.",
  });
}
