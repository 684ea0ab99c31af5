/** SARIF files in the shape that each tool writes, with results on given lines. */

type Json = Readonly<Record<string, unknown>>;

export type Spot = { readonly path: string; readonly line: number };

export function sarifLog(...runs: readonly Json[]): string {
  return JSON.stringify({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs,
  });
}

/** The shortest run that has a result. */
export function plainRun(results: readonly Json[], driver: Json = { name: "Sample" }): Json {
  return { tool: { driver }, results };
}

export function resultAt({ path, line }: Spot, fields: Json = {}): Json {
  return {
    ruleId: "rule-1",
    message: { text: "Something is wrong here." },
    locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: line } } }],
    ...fields,
  };
}

/** Semgrep: every rule is "very-high" precise; the real confidence is a tag. */
export function semgrepRun({ path, line }: Spot): Json {
  const id = "javascript.lang.security.audit.sqli.node-mysql-sqli.node-mysql-sqli";
  const text =
    "Detected SQL statement that is tainted by `req` object. This could lead to SQL injection if the variable is user-controlled and is not properly sanitized. Use parameterized statements.";
  return {
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
    tool: {
      driver: {
        name: "Semgrep OSS",
        semanticVersion: "1.97.0",
        rules: [
          {
            id,
            name: id,
            shortDescription: { text: `Semgrep Finding: ${id}` },
            fullDescription: { text },
            defaultConfiguration: { level: "error" },
            help: { markdown: `${text}\n\n<b>References:</b>`, text },
            helpUri: "https://semgrep.dev/r/javascript.lang.security.audit.sqli.node-mysql-sqli",
            properties: {
              precision: "very-high",
              tags: ["CWE-89: SQL Injection", "MEDIUM CONFIDENCE", "OWASP-A03:2021 - Injection", "security"],
            },
          },
        ],
      },
    },
    results: [
      {
        fingerprints: { "matchBasedId/v1": `${"a1b2c3d4".repeat(16)}_0` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: path, uriBaseId: "%SRCROOT%" },
              region: {
                startLine: line,
                startColumn: 3,
                endLine: line,
                endColumn: 60,
                snippet: { text: "  db.query(…)" },
              },
            },
          },
        ],
        message: { text },
        properties: {},
        ruleId: id,
      },
    ],
  };
}

/** CodeQL: the rules are in an extension, files are in `artifacts`, the message links to a related location. */
export function codeqlRun({ path, line }: Spot, sourceLine: number): Json {
  return {
    tool: {
      driver: { name: "CodeQL", organization: "GitHub", semanticVersion: "2.19.3", rules: [] },
      extensions: [
        { name: "codeql/javascript-all", semanticVersion: "2.1.1" },
        {
          name: "codeql/javascript-queries",
          semanticVersion: "1.2.3+1a2b",
          rules: [
            {
              id: "js/sql-injection",
              name: "js/sql-injection",
              shortDescription: { text: "Database query built from user-controlled sources" },
              fullDescription: {
                text: "Building a database query from user-controlled sources is vulnerable to insertion of malicious code by the user.",
              },
              defaultConfiguration: { enabled: true, level: "error" },
              properties: {
                tags: ["security", "external/cwe/cwe-089"],
                precision: "high",
                "security-severity": "8.8",
              },
            },
          ],
        },
      ],
    },
    artifacts: [
      { location: { uri: "src/other.js", uriBaseId: "%SRCROOT%", index: 0 } },
      { location: { uri: path, uriBaseId: "%SRCROOT%", index: 1 } },
    ],
    results: [
      {
        ruleId: "js/sql-injection",
        rule: { id: "js/sql-injection", index: 0, toolComponent: { index: 1 } },
        message: { text: "This query string depends on a [user-provided value](1)." },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { index: 1 },
              region: { startLine: line, startColumn: 12, endColumn: 60 },
            },
          },
        ],
        partialFingerprints: {
          primaryLocationLineHash: "39fa2ee980eb94b0:1",
          primaryLocationStartColumnFingerprint: "7",
        },
        relatedLocations: [
          {
            id: 1,
            physicalLocation: {
              artifactLocation: { index: 1 },
              region: { startLine: sourceLine, startColumn: 14 },
            },
            message: { text: "user-provided value" },
          },
        ],
      },
    ],
    columnKind: "utf16CodeUnits",
  };
}

/** golangci-lint: no rules, the id is the linter's, and everything is an error unless its configuration says otherwise. */
export function golangciRun(
  path: string,
  results: readonly (readonly [linter: string, line: number, text: string])[],
): Json {
  return {
    tool: { driver: { name: "golangci-lint" } },
    results: results.map(([ruleId, startLine, text]) => ({
      ruleId,
      level: "error",
      message: { text },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: path, index: 0 },
            region: { startLine, startColumn: 2 },
          },
        },
      ],
    })),
  };
}

/** gitleaks: the secret itself is in the snippet; the partial fingerprints are facts about the commit. */
export function gitleaksRun({ path, line }: Spot, secret: string): Json {
  return {
    tool: {
      driver: {
        name: "gitleaks",
        semanticVersion: "v8.0.0",
        informationUri: "https://github.com/gitleaks/gitleaks",
        rules: [
          {
            id: "generic-api-key",
            name: "Generic API Key",
            shortDescription: {
              text: "Detected a Generic API Key, potentially exposing access to various services.",
            },
          },
        ],
      },
    },
    results: [
      {
        message: { text: `generic-api-key has detected secret for file ${path} at commit 1234567.` },
        ruleId: "generic-api-key",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: path },
              region: {
                startLine: line,
                startColumn: 10,
                endLine: line,
                endColumn: 40,
                snippet: { text: secret },
              },
            },
          },
        ],
        partialFingerprints: {
          commitSha: "1234567",
          email: "ada@example.org",
          author: "Ada",
          date: "2026-01-01T00:00:00Z",
          commitMessage: `add ${secret}`,
        },
        properties: { tags: [] },
      },
    ],
  };
}

/** clippy-sarif: relative paths with the compiler's rendering of the message. */
export function clippyRun({ path, line }: Spot): Json {
  return {
    tool: {
      driver: {
        name: "clippy",
        informationUri: "https://rust-lang.github.io/rust-clippy/",
        rules: [
          {
            id: "clippy::unwrap_used",
            fullDescription: { text: "used `unwrap()` on a `Result` value" },
            helpUri: "https://rust-lang.github.io/rust-clippy/master/index.html#unwrap_used",
          },
        ],
      },
    },
    results: [
      {
        ruleId: "clippy::unwrap_used",
        ruleIndex: 0,
        level: "warning",
        message: { text: "used `unwrap()` on a `Result` value" },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: path },
              region: {
                startLine: line,
                startColumn: 13,
                endLine: line,
                endColumn: 30,
                byteOffset: 120,
                sourceLanguage: "rust",
              },
            },
          },
        ],
        relatedLocations: [],
      },
    ],
  };
}

/** ESLint with @microsoft/eslint-formatter-sarif: absolute file URIs, and suppressions of disable comments. */
export function eslintRun(root: string, { path, line }: Spot, disabledLine: number): Json {
  const uri = `file://${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const at = (startLine: number): Json => ({
    physicalLocation: {
      artifactLocation: { uri, index: 0 },
      region: { startLine, startColumn: 7, endLine: startLine, endColumn: 12 },
    },
  });
  return {
    tool: {
      driver: {
        name: "ESLint",
        informationUri: "https://eslint.org",
        version: "9.15.0",
        rules: [
          {
            id: "no-unused-vars",
            helpUri: "https://eslint.org/docs/latest/rules/no-unused-vars",
            shortDescription: { text: "Disallow unused variables" },
            properties: {},
          },
        ],
      },
    },
    artifacts: [{ location: { uri } }],
    results: [
      {
        level: "error",
        message: { text: "'total' is assigned a value but never used." },
        locations: [at(line)],
        ruleId: "no-unused-vars",
        ruleIndex: 0,
        suppressions: [],
      },
      {
        level: "error",
        message: { text: "'spare' is assigned a value but never used." },
        locations: [at(disabledLine)],
        ruleId: "no-unused-vars",
        ruleIndex: 0,
        suppressions: [{ kind: "inSource", justification: "kept for the next release" }],
      },
    ],
  };
}
