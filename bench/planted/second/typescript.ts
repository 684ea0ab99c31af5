import type { PlantedCase } from "../planted-case.ts";

/** Kept apart, so that no scanner takes the case for a leaked key. */
const KEY_PREFIX = "AKIA";

export const CASES: readonly PlantedCase[] = [
  {
    id: "tsx-interval-leak",
    language: "typescript",
    kind: "timer never cleared",
    path: "web/src/widgets/LiveClock.tsx",
    before: `import React from "react";
import { formatTime } from "../lib/format";

type Props = { zone: string; onTick?: (at: Date) => void };

export const LiveClock: React.FC<Props> = ({ zone, onTick }) => {
  const [at, setAt] = React.useState(() => new Date());

  React.useEffect(() => {
    const timer = setInterval(() => {
      const now = new Date();
      setAt(now);
      onTick?.(now);
    }, 1000);
    return () => clearInterval(timer);
  }, [onTick]);

  return <time dateTime={at.toISOString()}>{formatTime(at, zone)}</time>;
};
`,
    after: `import React from "react";
import { formatTime } from "../lib/format";

type Props = { zone: string; onTick?: (at: Date) => void };

export const LiveClock: React.FC<Props> = ({ zone, onTick }) => {
  const [at, setAt] = React.useState(() => new Date());

  React.useEffect(() => {
    setInterval(() => {
      const now = new Date();
      setAt(now);
      onTick?.(now);
    }, 1000);
  }, [onTick]);

  return <time dateTime={at.toISOString()}>{formatTime(at, zone)}</time>;
};
`,
    line: 10,
    severity: "major",
  },
  {
    id: "ts-nan-compare",
    language: "typescript",
    kind: "comparison with NaN",
    path: "packages/csv/src/columns.ts",
    before: null,
    after: `export interface Column {
  name: string;
  cells: string[];
}

export interface Summary {
  name: string;
  sum: number;
  invalid: number;
}

export const summarize = (column: Column): Summary => {
  let sum = 0;
  let invalid = 0;
  for (const cell of column.cells) {
    const value = Number.parseFloat(cell.replace(",", "."));
    if (value === NaN) {
      invalid += 1;
      continue;
    }
    sum += value;
  }
  return { name: column.name, sum, invalid };
};
`,
    line: 17,
    severity: "must-fix",
  },
  {
    id: "ts-ssrf-fastify",
    language: "typescript",
    kind: "request input in outgoing request",
    path: "apps/gateway/src/preview.ts",
    before: null,
    after: `import type { FastifyInstance } from "fastify";
import * as cheerio from "cheerio";

export default async function previewRoutes(app: FastifyInstance) {
  app.get<{ Querystring: { url: string } }>("/preview", async (request, reply) => {
    const { url } = request.query;
    if (!url) {
      return reply.code(400).send({ message: "url missing" });
    }
    const upstream = await fetch(url, { headers: { accept: "text/html" } });
    const $ = cheerio.load(await upstream.text());
    return {
      title: $("title").text(),
      image: $('meta[property="og:image"]').attr("content") ?? null,
    };
  });
}
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "js-koa-path",
    language: "typescript",
    kind: "request input in a file path",
    path: "lib/avatars.js",
    before: `import Router from "@koa/router";
import { createReadStream, promises as fs } from "node:fs";
import { join, extname } from "node:path";

const dir = "/data/avatars";
export const avatars = new Router({ prefix: "/avatars" });

avatars.get("/", async (ctx) => {
  ctx.body = await fs.readdir(dir);
});

avatars.get("/file", async (ctx) => {
  const known = await fs.readdir(dir);
  const wanted = known.find((name) => name === ctx.query.name);
  if (!wanted) ctx.throw(404);
  ctx.type = extname(wanted);
  ctx.body = createReadStream(join(dir, wanted));
});
`,
    after: `import Router from "@koa/router";
import { createReadStream, promises as fs } from "node:fs";
import { join, extname } from "node:path";

const dir = "/data/avatars";
export const avatars = new Router({ prefix: "/avatars" });

avatars.get("/", async (ctx) => {
  ctx.body = await fs.readdir(dir);
});

avatars.get("/file", async (ctx) => {
  const wanted = ctx.query.name;
  ctx.type = extname(wanted);
  ctx.body = createReadStream(join(dir, wanted));
});
`,
    line: 15,
    severity: "must-fix",
  },
  {
    id: "ts-eval-formula",
    language: "typescript",
    kind: "request input in eval",
    path: "src/server/formula.controller.ts",
    before: null,
    after: `import { Body, Controller, Post, UseGuards } from "@nestjs/common";
import { AuthGuard } from "./auth.guard";
import { SheetService } from "./sheet.service";

@Controller("formulas")
@UseGuards(AuthGuard)
export class FormulaController {
  constructor(private readonly sheets: SheetService) {}

  @Post("evaluate")
  async evaluate(@Body() body: { sheetId: string; formula: string }) {
    const sheet = await this.sheets.load(body.sheetId);
    const cells = Object.fromEntries(sheet.cells.map((cell) => [cell.name, cell.value]));
    const compute = new Function("cells", \`with (cells) { return \${body.formula}; }\`);
    return { value: compute(cells) };
  }
}
`,
    line: 14,
    severity: "critical",
  },
  {
    id: "ts-switch-no-break",
    language: "typescript",
    kind: "missing break",
    path: "src/editor/keymap.ts",
    before: `import type { Editor } from "./editor";

export function onKey(editor: Editor, event: KeyboardEvent): boolean {
  switch (event.key) {
    case "ArrowUp":
      editor.moveBy(-1);
      break;
    case "ArrowDown":
      editor.moveBy(1);
      break;
    case "Delete":
      editor.removeSelection();
      break;
    case "Escape":
      editor.discardChanges();
      break;
    default:
      return false;
  }
  event.preventDefault();
  return true;
}
`,
    after: `import type { Editor } from "./editor";

export function onKey(editor: Editor, event: KeyboardEvent): boolean {
  switch (event.key) {
    case "ArrowUp":
      editor.moveBy(-1);
      break;
    case "ArrowDown":
      editor.moveBy(1);
      break;
    case "Delete":
      editor.removeSelection();
    case "Escape":
      editor.discardChanges();
      break;
    default:
      return false;
  }
  event.preventDefault();
  return true;
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "ts-map-parseint",
    language: "typescript",
    kind: "parseInt passed to map",
    path: "tools/versions.ts",
    before: `import { readFileSync } from "node:fs";

interface Version {
  major: number;
  minor: number;
  patch: number;
}

export function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.trim().split(".").map(Number);
  return { major, minor, patch };
}

export function isNewer(a: Version, b: Version): boolean {
  if (a.major !== b.major) return a.major > b.major;
  if (a.minor !== b.minor) return a.minor > b.minor;
  return a.patch > b.patch;
}

export const current = (): Version => parseVersion(readFileSync("VERSION", "utf8"));
`,
    after: `import { readFileSync } from "node:fs";

interface Version {
  major: number;
  minor: number;
  patch: number;
}

export function parseVersion(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.trim().split(".").map(parseInt);
  return { major, minor, patch };
}

export function isNewer(a: Version, b: Version): boolean {
  if (a.major !== b.major) return a.major > b.major;
  if (a.minor !== b.minor) return a.minor > b.minor;
  return a.patch > b.patch;
}

export const current = (): Version => parseVersion(readFileSync("VERSION", "utf8"));
`,
    line: 10,
    severity: "must-fix",
  },
  {
    id: "ts-find-undefined",
    language: "typescript",
    kind: "undefined result used without a check",
    path: "src/billing/plan-changes.ts",
    before: `export interface Plan {
  id: string;
  monthlyCents: number;
}

const PLANS: Plan[] = [
  { id: "starter", monthlyCents: 900 },
  { id: "growth", monthlyCents: 4900 },
  { id: "scale", monthlyCents: 19900 },
];

export function proration(fromId: string, toId: string, daysLeft: number): number {
  const from = PLANS.find((plan) => plan.id === fromId);
  if (!from) throw new RangeError(\`unknown plan \${fromId}\`);
  const to = PLANS.find((plan) => plan.id === toId);
  if (!to) throw new RangeError(\`unknown plan \${toId}\`);
  return Math.round(((to.monthlyCents - from.monthlyCents) * daysLeft) / 30);
}
`,
    after: `export interface Plan {
  id: string;
  monthlyCents: number;
}

const PLANS: Plan[] = [
  { id: "starter", monthlyCents: 900 },
  { id: "growth", monthlyCents: 4900 },
  { id: "scale", monthlyCents: 19900 },
];

export function proration(fromId: string, toId: string, daysLeft: number): number {
  const from = PLANS.find((plan) => plan.id === fromId);
  if (!from) throw new RangeError(\`unknown plan \${fromId}\`);
  const to = PLANS.find((plan) => plan.id === toId);
  return Math.round(((to!.monthlyCents - from.monthlyCents) * daysLeft) / 30);
}
`,
    line: 16,
    severity: "major",
  },
  {
    id: "ts-weak-token",
    language: "typescript",
    kind: "token from Math.random",
    path: "src/lib/invitations.ts",
    before: null,
    after: `import { prisma } from "./prisma";
import { sendInvitation } from "./email";

const WEEK = 7 * 24 * 60 * 60 * 1000;

function inviteToken(): string {
  return Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2);
}

export async function invite(teamId: string, email: string) {
  const invitation = await prisma.invitation.create({
    data: { teamId, email, token: inviteToken(), expiresAt: new Date(Date.now() + WEEK) },
  });
  await sendInvitation(email, invitation.token);
  return invitation.id;
}
`,
    line: 7,
    severity: "must-fix",
  },
  {
    id: "ts-secret-committed",
    language: "typescript",
    kind: "secret committed",
    path: "src/config/storage.ts",
    before: `import { S3Client } from "@aws-sdk/client-s3";

const region = process.env.AWS_REGION ?? "eu-central-1";

export const bucket = process.env.UPLOAD_BUCKET ?? "acme-uploads-staging";

export const s3 = new S3Client({
  region,
  maxAttempts: 3,
});

export function publicUrl(key: string): string {
  return \`https://\${bucket}.s3.\${region}.amazonaws.com/\${encodeURIComponent(key)}\`;
}
`,
    after: `import { S3Client } from "@aws-sdk/client-s3";

const region = process.env.AWS_REGION ?? "eu-central-1";

export const bucket = process.env.UPLOAD_BUCKET ?? "acme-uploads-staging";

export const s3 = new S3Client({
  region,
  credentials: {
    accessKeyId: "${KEY_PREFIX}QX7RW3TZ5LN2VKJD",
    secretAccessKey: "pT9vXq2LrW8sZ4nYb7KcD1hMg5JfA3uEo6iRtVx0",
  },
  maxAttempts: 3,
});

export function publicUrl(key: string): string {
  return \`https://\${bucket}.s3.\${region}.amazonaws.com/\${encodeURIComponent(key)}\`;
}
`,
    line: 10,
    also: [11],
    severity: "critical",
  },
  {
    id: "js-constant-condition",
    language: "typescript",
    kind: "condition always true by wrong operator",
    path: "src/access/visibility.js",
    before: null,
    after: `const { getMembership } = require("./membership");

/**
 * @param {{ id: string, visibility: string }} board
 * @param {{ id: string } | null} viewer
 */
async function canView(board, viewer) {
  if (board.visibility === "public") {
    return true;
  }
  if (viewer === null) {
    return false;
  }
  const membership = await getMembership(board.id, viewer.id);
  if (membership.role !== "guest" || membership.role !== "blocked") {
    return true;
  }
  return membership.invitedTo.includes(board.id);
}

module.exports = { canView };
`,
    line: 15,
    severity: "must-fix",
  },
];
