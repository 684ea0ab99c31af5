/**
 * The second opinion on syntax errors: Babel's parser, which knows dialects of JavaScript that oxlint doesn't. A file that it can read as one of
 * them isn't broken.
 */
import { parse, type ParserOptions, type ParserPlugin } from "@babel/parser";
import type { AnalysedFile } from "../engine.ts";

/** Proposals that can be used together. */
const PROPOSALS: readonly ParserPlugin[] = [
  "asyncDoExpressions",
  "decoratorAutoAccessors",
  "deferredImportEvaluation",
  "deferredReexports",
  "destructuringPrivate",
  ["discardBinding", { syntaxType: "void" }],
  "doExpressions",
  "exportDefaultFrom",
  "functionBind",
  "functionSent",
  "importSync",
  "moduleBlocks",
  "namespaceImportFilter",
  ["optionalChainingAssign", { version: "2023-07" }],
  ["partialApplication", { version: "2018-07" }],
  "sourcePhaseImports",
  "structs",
  "throwExpressions",
];

const FLOW: readonly ParserPlugin[] = ["jsx", ["flow", { all: true }], "flowComments"];
const PIPE: ParserPlugin = ["pipelineOperator", { proposal: "fsharp" }];
const HACK = (["%", "^^", "#"] as const).map((topicToken): ParserPlugin => [
  "pipelineOperator",
  { proposal: "hack", topicToken },
]);

/** Of plugins that exclude each other, each is in one of these. */
const DIALECTS: readonly (readonly ParserPlugin[])[] = [
  [...FLOW, "decorators-legacy", PIPE],
  [...FLOW, "decorators"],
  ["jsx", "typescript", "decorators-legacy", "v8intrinsic", PIPE],
  ["typescript", "decorators-legacy"],
  ...HACK.map((pipe): readonly ParserPlugin[] => ["jsx", "decorators-legacy", pipe]),
];

/** TypeScript's own compiler rejects what only its old decorators allow elsewhere. */
const TYPESCRIPT_DIALECTS: readonly (readonly ParserPlugin[])[] = [
  ["typescript", "decorators", PIPE],
  ["typescript", "jsx", "decorators", ...HACK.slice(0, 1)],
];

/** Scripts can be wrapped by what loads them. */
const TOLERANT: ParserOptions = {
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowNewTargetOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowUndeclaredExports: true,
  allowYieldOutsideFunction: true,
  attachComment: false,
};

const SOURCE_TYPES = ["module", "script"] as const;

/** Whether Babel can parse the file as one of the dialects. */
export function readsAsDialect({ text, language }: AnalysedFile): boolean {
  const dialects = language === "javascript" ? DIALECTS : TYPESCRIPT_DIALECTS;
  return dialects.some((plugins) => SOURCE_TYPES.some((sourceType) => parses(text, plugins, sourceType)));
}

function parses(
  text: string,
  plugins: readonly ParserPlugin[],
  sourceType: (typeof SOURCE_TYPES)[number],
): boolean {
  try {
    parse(text, { ...TOLERANT, sourceType, plugins: [...plugins, ...PROPOSALS] });
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
