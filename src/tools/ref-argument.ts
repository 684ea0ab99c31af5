/** The argument of a tool that names a branch, tag or commit. */
import * as z from "zod";

/** A longer text isn't a ref. */
const MAX_REF_CHARS = 1_000;

export const refArgument = z.string().min(1).max(MAX_REF_CHARS);
