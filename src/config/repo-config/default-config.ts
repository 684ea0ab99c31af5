/** The defaults of `.kodiai.yml`, written out so that a run without one loads no schema. Generated: `npm run generate`. */
import type { RepoConfig } from "./schema.ts";

export const DEFAULT_CONFIG: RepoConfig = {
  review: {
    enabled: true,
    mode: "auto",
    triggers: {
      onOpened: true,
      onReadyForReview: true,
      onReviewRequested: true,
      onSynchronize: false,
    },
    drafts: false,
    allowNoReview: "writers",
    skipAuthors: [],
    skipPaths: [],
    severity: {},
    minConfidence: 0,
    patterns: {
      customRules: [],
    },
    prompt: "",
    pathInstructions: [],
    suppressions: [],
    guidelines: {
      enabled: true,
      files: ["AGENTS.md", "CLAUDE.md", ".cursorrules", ".github/copilot-instructions.md", "REVIEW.md"],
    },
    chunked: {
      enabled: false,
      threshold: 100,
      maxChunks: 3,
      filesPerChunk: 30,
      minSeconds: 120,
    },
    failOn: "none",
    autoApprove: false,
    language: "en",
    debounceSeconds: 30,
  },
  floor: {
    enabled: true,
    rules: {},
  },
  fallbackModels: [],
  timeoutSeconds: 600,
  languageRules: {
    severityFloors: [],
    tooling: "auto",
  },
  fileCategories: {
    test: [],
    infra: [],
    docs: [],
    config: [],
    source: [],
  },
  largePR: {
    fullReviewTokens: 60000,
    abbreviatedTokens: 40000,
    riskWeights: {
      lines: 0.3,
      path: 0.3,
      category: 0.2,
      language: 0.1,
      executable: 0.1,
    },
  },
  budget: {},
  limits: {
    strangersPerHour: 2,
    contributorsPerHour: 6,
  },
  prices: {},
  memory: {
    enabled: true,
    shareWithOwner: false,
    retrieval: {
      enabled: true,
      topK: 5,
      distanceThreshold: 0.3,
      adaptiveThreshold: true,
      languageBoosting: true,
      maxContextChars: 2000,
    },
    embeddings: "local",
  },
  feedback: {
    autoSuppress: {
      enabled: false,
      minThumbsDown: 3,
      minPeople: 3,
      minPullRequests: 2,
      expireDays: 90,
    },
  },
  dependencies: {
    enabled: true,
    advisories: true,
    changelogs: true,
    callSites: true,
    minReleaseAgeDays: 7,
    ignore: [],
    privatePackages: [],
  },
  pack: {
    exclude: [],
    budgetTokens: 272000,
    includeTests: false,
    includeDocs: false,
    includeLockfiles: false,
  },
  deepReview: {
    effort: "high",
    verbosity: "medium",
    summary: "auto",
  },
  mentions: {
    enabled: true,
    maxTurns: 10,
    allowEveryone: true,
  },
  write: {
    enabled: false,
    allowPaths: [],
    denyPaths: [
      ".github/**",
      ".git/**",
      "**/.kodiai.yml",
      "**/.env*",
      "**/*.pem",
      "**/*.key",
      "**/*credentials*",
    ],
  },
  bots: {
    allow: [],
  },
  telemetry: {
    enabled: true,
    retentionDays: 90,
  },
};
