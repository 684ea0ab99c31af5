/** The dependency files of Ruby. */
import type { FileFormat } from "../ecosystem.ts";
import { GEMFILE_LOCK } from "./gemfile-lock.ts";
import { GEMFILE } from "./gemfile.ts";
import { GEMSPEC } from "./gemspec.ts";

export const RUBY_FORMATS: readonly FileFormat[] = [GEMFILE, GEMSPEC, GEMFILE_LOCK];
