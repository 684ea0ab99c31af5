/** The parsers of archives and changelogs as in the program, with a reader in the same process. */
import { createPackageParsers } from "../../src/compose/parse-packages.ts";
import { createInProcessReader } from "./in-process-reader.ts";

export const PARSERS = createPackageParsers(async () => createInProcessReader());
