/**
 * The lines of an exported memory, as JSON: a header, the rows of one repository after the other, and an end that counts them. All ids
 * of rows are left out.
 */
import * as z from "zod";
import { FEEDBACK_SIGNALS, TEACHING_REASONS } from "../../memory/feedback.ts";
import { LEARNING_KINDS } from "../../review/context/learning.ts";
import { MEMORY_OUTCOMES } from "../../review/context/memory.ts";
import { toStorableText } from "../../store/database.ts";
import { MAX_DIMENSIONS } from "../../store/vectors/vectors.ts";

export const EXPORT_KIND = "kodiai-memory";

/** Rises when an older program can't read the lines. */
export const EXPORT_FORMAT = 1;

/** Far above the limits of stored texts, and below what would fill the memory. */
const MAX_TEXT_CHARS = 64 * 1024;
const MAX_NAME_CHARS = 2_000;
const MAX_VECTOR_CHARS = Math.ceil((MAX_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT) / 3) * 4;

const text = z.string().max(MAX_TEXT_CHARS).transform(toStorableText);
const name = z.string().max(MAX_NAME_CHARS).transform(toStorableText);
const key = name.refine((value) => value !== "", { error: "must not be empty" });
const time = z.int().min(0);
const id = z.int().min(1);
const ofRepository = { repositoryId: id };

const Header = z.strictObject({
  kind: z.literal(EXPORT_KIND),
  format: z.literal(EXPORT_FORMAT),
  program: z.string(),
  exportedAt: z.string(),
});

const RepositoryLine = z.strictObject({
  kind: z.literal("repository"),
  ...ofRepository,
  /** Null if no review has registered it. */
  repository: z
    .strictObject({
      owner: key,
      name: key,
      isPrivate: z.boolean(),
      isSharing: z.boolean(),
      embeddings: name,
      updatedAt: time,
    })
    .nullable(),
});

const MemoryLine = z.strictObject({
  kind: z.literal("memory"),
  ...ofRepository,
  pullRequest: id,
  identity: key,
  pattern: name,
  title: text,
  body: text,
  path: name,
  language: name,
  category: name,
  severity: name,
  rule: name.nullable(),
  url: name.nullable(),
  outcome: z.enum(MEMORY_OUTCOMES),
  createdAt: time,
  updatedAt: time,
  /** 32-bit floats, little-endian, in base64. */
  vector: z
    .strictObject({
      space: z.string().regex(/^.{1,300}\/\d{1,5}$/u, "must be the name and the dimensions of a space"),
      data: z.base64().min(1).max(MAX_VECTOR_CHARS),
    })
    .nullable(),
});

const LearningLine = z.strictObject({
  kind: z.literal("learning"),
  ...ofRepository,
  source: z.enum(["feedback", "analysis", "person"]),
  name: key,
  /** The kind of the learning; `kind` names the line. */
  learningKind: z.enum(LEARNING_KINDS),
  text,
  paths: z.array(name).max(100),
  confidence: z.number().min(0).max(1),
  confirmations: z.int().min(0),
  uses: z.int().min(0),
  lastUsedAt: time.nullable(),
  provenance: name.nullable(),
  owner: name.nullable(),
  createdBy: name,
  createdAt: time,
  updatedAt: time,
  expiresAt: time.nullable(),
});

const SuppressionLine = z.strictObject({
  kind: z.literal("suppression"),
  ...ofRepository,
  pattern: key,
  title: text,
  createdAt: time,
  expiresAt: time,
  undoneAt: time.nullable(),
  undoneBy: name.nullable(),
});

const FeedbackLine = z.strictObject({
  kind: z.literal("feedback"),
  ...ofRepository,
  pullRequest: id,
  identity: key,
  signal: z.enum(FEEDBACK_SIGNALS),
  person: key,
  pattern: key,
  title: text,
  teaches: z.boolean(),
  reason: z.enum(TEACHING_REASONS),
  // Older files have none.
  words: text.default(""),
  url: name.nullable(),
  at: time,
});

const ForgottenLine = z.strictObject({
  kind: z.literal("forgotten"),
  ...ofRepository,
  item: z.string().regex(/^[0-9a-f]{64}$/, "must be a hash"),
  at: time,
});

const EndLine = z.strictObject({ kind: z.literal("end"), rows: z.int().min(0) });

export const MemoryFileLine = z.discriminatedUnion("kind", [
  Header,
  RepositoryLine,
  MemoryLine,
  LearningLine,
  SuppressionLine,
  FeedbackLine,
  ForgottenLine,
  EndLine,
]);
export type MemoryFileLine = z.infer<typeof MemoryFileLine>;
export type MemoryFileRow = Exclude<MemoryFileLine, { readonly kind: "end" | typeof EXPORT_KIND }>;

/** The lines that are rows of a repository, in the order of an export. */
export const ROW_KINDS = [
  "repository",
  "forgotten",
  "memory",
  "learning",
  "suppression",
  "feedback",
] as const;
