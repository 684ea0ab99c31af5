/** Renders the published JSON schemas of a set's files, `schema/evaluation-*.schema.json`. They describe the files as written. */
import * as z from "zod";
import { CaseFile, RepositoryFile, SetFile } from "./set-files.ts";

const FILES = {
  set: { schema: SetFile, title: "An evaluation set (set.json)" },
  case: { schema: CaseFile, title: "A pull request of an evaluation set (cases/*.json)" },
  repository: {
    schema: RepositoryFile,
    title: "Texts that cases of an evaluation set share (repositories/*.json)",
  },
} as const;

export const SET_SCHEMAS = ["set", "case", "repository"] as const;

export const schemaPathOf = (file: keyof typeof FILES): string => `schema/evaluation-${file}.schema.json`;

export function renderSetSchema(file: keyof typeof FILES): string {
  const { schema, title } = FILES[file];
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return `${JSON.stringify({ $schema, $id: `evaluation-${file}.schema.json`, title, ...rest }, null, 2)}\n`;
}
