/**
 * The files of a set as they are on disk: `set.json`, one file per case below `cases`, and below `repositories` the texts that several
 * cases share. Unknown fields are errors, so that a misspelled one is never ignored.
 *
 * A schema and its type share one name.
 */
import * as z from "zod";
import { KnownAnswer, SET_FORMAT } from "./evaluation-set.ts";

/** More than a pull request of generated code has. */
const MAX_FILES = 5_000;

/** A title and a description as GitHub accepts them. */
const MAX_TITLE_CHARS = 1_000;
const MAX_BODY_CHARS = 70_000;

/** More than anyone would write for one pull request. */
const MAX_ANSWERS = 500;

const REPOSITORY_NAME = /^(?!\.)[\w.+-]+(?:\/(?!\.)[\w.+-]+)*$/;

const name = z
  .string()
  .regex(/^(?!\.)[\w.-]{1,100}$/, "must have letters, digits, dots, dashes and underscores");
const repository = z.string().max(300).regex(REPOSITORY_NAME, "must be a name such as acme/shop");
const commit = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be the full id of a commit");

const path = z
  .string()
  .max(1_000)
  .refine(isSafePath, "must be a relative path with forward slashes that doesn't leave the repository");

const atMost = (value: object): boolean => Object.keys(value).length <= MAX_FILES;
const tooMany = `must have at most ${MAX_FILES} files`;
const texts = z.record(path, z.string()).refine(atMost, tooMany);

/** `set.json`. */
export const SetFile = z.strictObject({
  $schema: z.string().optional(),
  format: z.literal(SET_FORMAT, `must be ${SET_FORMAT}, the only format that this version reads`),
  name,
  description: z.string().max(MAX_BODY_CHARS),
  /** An SPDX identifier, or what else applies. */
  licence: z.string().min(1).max(MAX_TITLE_CHARS),
  version: z.string().min(1).max(100),
});
export type SetFile = z.infer<typeof SetFile>;

/** `repositories/NAME.json`: the files of a base, which cases name as NAME. */
export const RepositoryFile = z.strictObject({ $schema: z.string().optional(), files: texts });

/** `cases/*.json`. */
export const CaseFile = z.strictObject({
  $schema: z.string().optional(),
  id: name,
  title: z.string().trim().min(1).max(MAX_TITLE_CHARS),
  body: z.string().max(MAX_BODY_CHARS).default(""),
  language: z.string().min(1).max(100),
  isSound: z.boolean(),
  answers: z.array(z.strictObject(KnownAnswer.unwrap().shape)).max(MAX_ANSWERS).default([]),
  code: z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("texts"),
      repository,
      /** Files of the base that `repositories/NAME.json` doesn't have, or has in another form. */
      base: texts.default({}),
      /** Whole texts of the head; null deletes the file. */
      changes: z.record(path, z.string().nullable()).refine(atMost, tooMany),
    }),
    z.strictObject({ kind: z.literal("commits"), repository, base: commit, head: commit }),
  ]),
});
export type CaseFile = z.infer<typeof CaseFile>;

/** Also refuses what file systems that ignore case, dots or spaces at the end take for `.git`. */
function isSafePath(given: string): boolean {
  return (
    !/[\\\0-\x1f\x7f:]/.test(given) &&
    given
      .split("/")
      .every((part) => part !== "" && part !== "." && part !== ".." && !/^(?:\.git|git~\d)[. ]*$/i.test(part))
  );
}
