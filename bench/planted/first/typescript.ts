import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "ts-async-foreach",
    language: "typescript",
    kind: "async callback in forEach",
    path: "src/jobs/send-reminders.ts",
    before: `import { mailer } from "../mail/mailer.ts";
import { reminders, type Reminder } from "../store/reminders.ts";
import { logger } from "../logger.ts";

export async function sendReminders(now: Date): Promise<number> {
  const due = await reminders.dueBefore(now);
  let sent = 0;
  for (const reminder of due) {
    await mailer.send({ to: reminder.email, subject: reminder.title, text: reminder.body });
    await reminders.markSent(reminder.id, now);
    sent++;
  }
  logger.info(\`sent \${sent} reminders\`);
  return sent;
}
`,
    after: `import { mailer } from "../mail/mailer.ts";
import { reminders, type Reminder } from "../store/reminders.ts";
import { logger } from "../logger.ts";

export async function sendReminders(now: Date): Promise<number> {
  const due = await reminders.dueBefore(now);
  let sent = 0;
  due.forEach(async (reminder: Reminder) => {
    await mailer.send({ to: reminder.email, subject: reminder.title, text: reminder.body });
    await reminders.markSent(reminder.id, now);
    sent++;
  });
  logger.info(\`sent \${sent} reminders\`);
  return sent;
}
`,
    line: 8,
    also: [10, 11],
    severity: "major",
  },
  {
    id: "ts-number-sort",
    language: "typescript",
    kind: "numbers sorted as text",
    path: "src/stats/percentile.ts",
    before: null,
    after: `/** Percentiles of request durations in milliseconds. */
export class DurationWindow {
  private readonly durations: number[] = [];
  private readonly capacity: number;

  constructor(capacity = 1000) {
    this.capacity = capacity;
  }

  add(durationMs: number): void {
    this.durations.push(durationMs);
    if (this.durations.length > this.capacity) this.durations.shift();
  }

  percentile(share: number): number {
    const ordered = [...this.durations].sort();
    const index = Math.min(ordered.length - 1, Math.floor(share * ordered.length));
    return ordered[index] ?? 0;
  }
}
`,
    line: 16,
    severity: "must-fix",
  },
  {
    id: "ts-sql-template",
    language: "typescript",
    kind: "request input in SQL",
    path: "src/routes/orders.ts",
    before: `import { Router } from "express";
import { pool } from "../db.js";
import { requireUser } from "../middleware/require-user.js";

export const orders = Router();

orders.get("/orders", requireUser, async (req, res, next) => {
  try {
    const status = req.query.status ?? "open";
    const { rows } = await pool.query("SELECT id, total, status FROM orders WHERE status = $1 LIMIT 50", [status]);
    res.json({ orders: rows });
  } catch (error) {
    next(error);
  }
});

orders.get("/orders/:id", requireUser, async (req, res) => {
  const { rows } = await pool.query("SELECT id, total, status FROM orders WHERE id = $1", [req.params.id]);
  if (rows.length === 0) return res.status(404).json({ error: "not found" });
  return res.json(rows[0]);
});
`,
    after: `import { Router } from "express";
import { pool } from "../db.js";
import { requireUser } from "../middleware/require-user.js";

export const orders = Router();

orders.get("/orders", requireUser, async (req, res, next) => {
  try {
    const status = req.query.status ?? "open";
    const { rows } = await pool.query(\`SELECT id, total, status FROM orders WHERE status = '\${status}' LIMIT 50\`);
    res.json({ orders: rows });
  } catch (error) {
    next(error);
  }
});

orders.get("/orders/:id", requireUser, async (req, res) => {
  const { rows } = await pool.query("SELECT id, total, status FROM orders WHERE id = $1", [req.params.id]);
  if (rows.length === 0) return res.status(404).json({ error: "not found" });
  return res.json(rows[0]);
});
`,
    line: 10,
    severity: "critical",
  },
  {
    id: "ts-exec-body",
    language: "typescript",
    kind: "request input in shell command",
    path: "server/thumbnails.js",
    before: null,
    after: `const express = require("express");
const { exec } = require("child_process");
const path = require("path");

const router = express.Router();
const OUTPUT = path.join(__dirname, "..", "public", "thumbs");

router.post("/thumbnails", (req, res) => {
  const { source, width } = req.body;
  const target = path.join(OUTPUT, \`\${Date.now()}.png\`);
  exec(\`convert \${source} -resize \${width} \${target}\`, (error, stdout, stderr) => {
    if (error) {
      res.status(500).json({ error: stderr });
      return;
    }
    res.status(201).json({ file: path.basename(target) });
  });
});

module.exports = router;
`,
    line: 11,
    severity: "critical",
  },
  {
    id: "ts-only-added",
    language: "typescript",
    kind: "focused test",
    path: "test/cart.test.ts",
    before: `import { describe, expect, it } from "vitest";
import { addItem, emptyCart, total } from "../src/cart.ts";

describe("cart", () => {
  it("is empty at first", () => {
    expect(total(emptyCart())).toBe(0);
  });

  it("adds the price of each item", () => {
    const cart = addItem(addItem(emptyCart(), { sku: "a", cents: 250 }), { sku: "b", cents: 100 });
    expect(total(cart)).toBe(350);
  });

  it("multiplies by the quantity", () => {
    const cart = addItem(emptyCart(), { sku: "a", cents: 250, quantity: 3 });
    expect(total(cart)).toBe(750);
  });
});
`,
    after: `import { describe, expect, it } from "vitest";
import { addItem, emptyCart, total } from "../src/cart.ts";

describe("cart", () => {
  it("is empty at first", () => {
    expect(total(emptyCart())).toBe(0);
  });

  it.only("adds the price of each item", () => {
    const cart = addItem(addItem(emptyCart(), { sku: "a", cents: 250 }), { sku: "b", cents: 100 });
    expect(total(cart)).toBe(350);
  });

  it("multiplies by the quantity", () => {
    const cart = addItem(emptyCart(), { sku: "a", cents: 250, quantity: 3 });
    expect(total(cart)).toBe(750);
  });
});
`,
    line: 9,
    severity: "must-fix",
  },
  {
    id: "ts-inner-html",
    language: "typescript",
    kind: "request input in HTML",
    path: "src/pages/SearchResults.tsx",
    before: null,
    after: `import { useSearchParams } from "react-router-dom";
import { useResults } from "../hooks/useResults";
import { ResultCard } from "../components/ResultCard";

export function SearchResults() {
  const [params] = useSearchParams();
  const query = params.get("q") ?? "";
  const { results, isLoading } = useResults(query);

  if (isLoading) return <p>Searching…</p>;
  return (
    <main>
      <h1 dangerouslySetInnerHTML={{ __html: \`Results for <em>\${query}</em>\` }} />
      <ul>
        {results.map((result) => (
          <li key={result.id}>
            <ResultCard result={result} />
          </li>
        ))}
      </ul>
    </main>
  );
}
`,
    line: 13,
    severity: "must-fix",
  },
  {
    id: "ts-permission-removed",
    language: "typescript",
    kind: "permission check removed",
    path: "src/api/projects.ts",
    before: `import type { Request, Response } from "express";
import { projects } from "../store/projects.ts";
import { canAdminister } from "../auth/permissions.ts";

export async function deleteProject(req: Request, res: Response): Promise<void> {
  const project = await projects.find(String(req.params.projectId));
  if (project === undefined) {
    res.status(404).json({ error: "project not found" });
    return;
  }
  if (!canAdminister(req.user, project)) {
    res.status(403).json({ error: "forbidden" });
    return;
  }
  await projects.remove(project.id);
  res.status(204).end();
}

export async function renameProject(req: Request, res: Response): Promise<void> {
  const project = await projects.find(String(req.params.projectId));
  if (project === undefined || !canAdminister(req.user, project)) {
    res.status(404).json({ error: "project not found" });
    return;
  }
  await projects.rename(project.id, String(req.body.name));
  res.json({ id: project.id });
}
`,
    after: `import type { Request, Response } from "express";
import { projects } from "../store/projects.ts";
import { canAdminister } from "../auth/permissions.ts";

export async function deleteProject(req: Request, res: Response): Promise<void> {
  const project = await projects.find(String(req.params.projectId));
  if (project === undefined) {
    res.status(404).json({ error: "project not found" });
    return;
  }
  await projects.remove(project.id);
  res.status(204).end();
}

export async function renameProject(req: Request, res: Response): Promise<void> {
  const project = await projects.find(String(req.params.projectId));
  if (project === undefined || !canAdminister(req.user, project)) {
    res.status(404).json({ error: "project not found" });
    return;
  }
  await projects.rename(project.id, String(req.body.name));
  res.json({ id: project.id });
}
`,
    line: 11,
    side: "old",
    also: [12, 13, 14],
    severity: "must-fix",
  },
  {
    id: "ts-duplicate-key",
    language: "typescript",
    kind: "duplicate object key",
    path: "src/i18n/status-labels.ts",
    before: null,
    after: `export type Status = "draft" | "review" | "published" | "archived" | "deleted";

export const STATUS_LABELS = {
  draft: "Draft",
  review: "In review",
  published: "Published",
  archived: "Archived",
  draft: "Deleted",
};

export const STATUS_COLORS: Record<Status, string> = {
  draft: "gray",
  review: "yellow",
  published: "green",
  archived: "blue",
  deleted: "red",
};

export function labelOf(status: keyof typeof STATUS_LABELS): string {
  return STATUS_LABELS[status];
}
`,
    line: 8,
    severity: "medium",
  },
  {
    id: "ts-promise-condition",
    language: "typescript",
    kind: "promise as a condition",
    path: "src/auth/guard.ts",
    before: `import type { NextFunction, Request, Response } from "express";
import { sessions } from "../store/sessions.ts";

async function isRevoked(token: string): Promise<boolean> {
  const session = await sessions.byToken(token);
  return session === undefined || session.revokedAt !== null;
}

async function hasScope(token: string, scope: string): Promise<boolean> {
  const session = await sessions.byToken(token);
  return session?.scopes.includes(scope) ?? false;
}

export function requireScope(scope: string) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const token = req.get("authorization")?.slice("Bearer ".length) ?? "";
    if (await isRevoked(token)) return res.status(401).end();
    if (await hasScope(token, scope)) return next();
    return res.status(403).end();
  };
}
`,
    after: `import type { NextFunction, Request, Response } from "express";
import { sessions } from "../store/sessions.ts";

async function isRevoked(token: string): Promise<boolean> {
  const session = await sessions.byToken(token);
  return session === undefined || session.revokedAt !== null;
}

async function hasScope(token: string, scope: string): Promise<boolean> {
  const session = await sessions.byToken(token);
  return session?.scopes.includes(scope) ?? false;
}

export function requireScope(scope: string) {
  return async (req: Request, res: Response, next: NextFunction) => {
    const token = req.get("authorization")?.slice("Bearer ".length) ?? "";
    if (await isRevoked(token)) return res.status(401).end();
    if (hasScope(token, scope)) return next();
    return res.status(403).end();
  };
}
`,
    line: 18,
    severity: "must-fix",
  },
  {
    id: "ts-open-redirect",
    language: "typescript",
    kind: "request input in redirect",
    path: "src/routes/login.ts",
    before: null,
    after: `import { Router } from "express";
import { authenticate } from "../auth/authenticate.js";

export const login = Router();

login.get("/login", (_req, res) => {
  res.render("login", { title: "Sign in" });
});

login.post("/login", async (req, res) => {
  const user = await authenticate(req.body.email, req.body.password);
  if (user === null) {
    res.status(401).render("login", { title: "Sign in", error: "Wrong email or password" });
    return;
  }
  req.session.userId = user.id;
  const next = req.query.next ?? "/";
  res.redirect(next as string);
});
`,
    line: 18,
    severity: "major",
  },
  {
    id: "ts-conditional-hook",
    language: "typescript",
    kind: "hook called conditionally",
    path: "src/components/UserMenu.tsx",
    before: `import { useEffect, useState } from "react";
import { fetchNotifications, type Notification } from "../api/notifications";
import type { User } from "../api/users";

export function UserMenu({ user }: { user: User | null }) {
  const [isOpen, setOpen] = useState(false);
  const [notifications, setNotifications] = useState<Notification[]>([]);

  useEffect(() => {
    if (user === null) return;
    void fetchNotifications(user.id).then(setNotifications);
  }, [user]);

  if (user === null) return <a href="/login">Sign in</a>;
  return (
    <nav>
      <button onClick={() => setOpen(!isOpen)}>{user.name}</button>
      {isOpen && <ul>{notifications.map((n) => <li key={n.id}>{n.text}</li>)}</ul>}
    </nav>
  );
}
`,
    after: `import { useEffect, useState } from "react";
import { fetchNotifications, type Notification } from "../api/notifications";
import type { User } from "../api/users";

export function UserMenu({ user }: { user: User | null }) {
  const [isOpen, setOpen] = useState(false);

  if (user === null) return <a href="/login">Sign in</a>;

  const [notifications, setNotifications] = useState<Notification[]>([]);
  useEffect(() => {
    if (user === null) return;
    void fetchNotifications(user.id).then(setNotifications);
  }, [user]);

  return (
    <nav>
      <button onClick={() => setOpen(!isOpen)}>{user.name}</button>
      {isOpen && <ul>{notifications.map((n) => <li key={n.id}>{n.text}</li>)}</ul>}
    </nav>
  );
}
`,
    line: 10,
    also: [11],
    severity: "must-fix",
  },
];
