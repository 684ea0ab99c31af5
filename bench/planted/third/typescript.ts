import type { PlantedCase } from "../planted-case.ts";

export const CASES: readonly PlantedCase[] = [
  {
    id: "third-ts-map-without-return",
    language: "typescript",
    kind: "array callback returns nothing",
    path: "src/reports/monthly-summary.js",
    before: null,
    after: `import { formatISO } from "date-fns";
import { loadInvoices } from "../storage/invoices.js";

const CURRENCIES = ["EUR", "USD", "GBP"];

function netAmount(invoice) {
  return invoice.lines.reduce((sum, line) => sum + line.quantity * line.unitPrice, 0);
}

export async function monthlySummary(year, month) {
  const start = new Date(Date.UTC(year, month - 1, 1));
  const end = new Date(Date.UTC(year, month, 1));
  const invoices = await loadInvoices({ start, end });

  const totals = CURRENCIES.map((currency) => {
    const matching = invoices.filter((invoice) => invoice.currency === currency);
    const total = matching.reduce((sum, invoice) => sum + netAmount(invoice), 0);
    ({ currency, total, count: matching.length });
  });

  return {
    period: formatISO(start, { representation: "date" }),
    totals,
    invoiceCount: invoices.length,
  };
}
`,
    line: 15,
    also: [18],
    severity: "medium",
  },
  {
    id: "third-ts-switch-fallthrough",
    language: "typescript",
    kind: "missing break in a switch",
    path: "src/orders/order-reducer.ts",
    before: `import type { Order, OrderEvent } from "./types";

export function applyEvent(order: Order, event: OrderEvent): Order {
  const next: Order = { ...order, history: [...order.history, event] };
  switch (event.type) {
    case "paid":
      next.status = "paid";
      next.paidAt = event.at;
      break;
    case "shipped":
      next.status = "shipped";
      next.shippedAt = event.at;
      break;
    case "cancelled":
      next.status = "cancelled";
      next.cancelledAt = event.at;
      break;
    default:
      throw new Error(\`unknown event \${JSON.stringify(event)}\`);
  }
  return next;
}

export function replay(order: Order, events: readonly OrderEvent[]): Order {
  return events.reduce(applyEvent, order);
}
`,
    after: `import type { Order, OrderEvent } from "./types";

export function applyEvent(order: Order, event: OrderEvent): Order {
  const next: Order = { ...order, history: [...order.history, event] };
  switch (event.type) {
    case "paid":
      next.status = "paid";
      next.paidAt = event.at;
      break;
    case "on_hold":
      next.status = "on_hold";
      next.holdReason = event.reason;
    case "shipped":
      next.status = "shipped";
      next.shippedAt = event.at;
      break;
    case "cancelled":
      next.status = "cancelled";
      next.cancelledAt = event.at;
      break;
    default:
      throw new Error(\`unknown event \${JSON.stringify(event)}\`);
  }
  return next;
}

export function replay(order: Order, events: readonly OrderEvent[]): Order {
  return events.reduce(applyEvent, order);
}
`,
    line: 12,
    also: [13],
    severity: "medium",
  },
  {
    id: "third-ts-compare-nan",
    language: "typescript",
    kind: "comparison with NaN",
    path: "src/config/read-number.ts",
    before: `type Source = Record<string, string | undefined>;

export class ConfigError extends Error {
  constructor(readonly key: string, message: string) {
    super(\`\${key}: \${message}\`);
    this.name = "ConfigError";
  }
}

export function readNumber(source: Source, key: string, fallback?: number): number {
  const raw = source[key]?.trim();
  if (raw === undefined || raw === "") {
    if (fallback !== undefined) return fallback;
    throw new ConfigError(key, "is required");
  }
  const value = Number(raw);
  if (Number.isNaN(value)) throw new ConfigError(key, \`"\${raw}" is not a number\`);
  return value;
}

export function readPort(source: Source, key: string): number {
  const port = readNumber(source, key, 8080);
  if (port < 1 || port > 65_535) throw new ConfigError(key, "is not a valid port");
  return port;
}
`,
    after: `type Source = Record<string, string | undefined>;

export class ConfigError extends Error {
  constructor(readonly key: string, message: string) {
    super(\`\${key}: \${message}\`);
    this.name = "ConfigError";
  }
}

export function readNumber(source: Source, key: string, fallback?: number): number {
  const raw = source[key]?.trim();
  if (raw === undefined || raw === "") {
    if (fallback !== undefined) return fallback;
    throw new ConfigError(key, "is required");
  }
  const value = Number(raw.replaceAll("_", ""));
  if (value === NaN) throw new ConfigError(key, \`"\${raw}" is not a number\`);
  return value;
}

export function readPort(source: Source, key: string): number {
  const port = readNumber(source, key, 8080);
  if (port < 1 || port > 65_535) throw new ConfigError(key, "is not a valid port");
  return port;
}
`,
    line: 17,
    severity: "medium",
  },
  {
    id: "third-ts-conditional-hook",
    language: "typescript",
    kind: "hook after an early return",
    path: "src/components/MemberCard.tsx",
    before: null,
    after: `import { useMemo, useState } from "react";
import { Avatar } from "./Avatar";
import type { Member } from "../api/members";

type Props = {
  member: Member | null;
  onInvite: (email: string) => void;
};

export function MemberCard({ member, onInvite }: Props) {
  const [isExpanded, setExpanded] = useState(false);

  if (member === null) {
    return <div className="member-card member-card--empty">No member selected</div>;
  }

  const teams = useMemo(() => [...member.teams].sort((a, b) => a.name.localeCompare(b.name)), [member.teams]);

  return (
    <div className="member-card">
      <Avatar url={member.avatarUrl} alt={member.name} />
      <h3>{member.name}</h3>
      <button type="button" onClick={() => setExpanded((open) => !open)}>
        {isExpanded ? "Hide teams" : "Show teams"}
      </button>
      {isExpanded && (
        <ul>
          {teams.map((team) => (
            <li key={team.id}>{team.name}</li>
          ))}
        </ul>
      )}
      <button type="button" onClick={() => onInvite(member.email)}>
        Invite
      </button>
    </div>
  );
}
`,
    line: 17,
    severity: "major",
  },
  {
    id: "third-ts-open-redirect",
    language: "typescript",
    kind: "redirect to request input",
    path: "src/routes/login.ts",
    before: `import { Router } from "express";
import { authenticate } from "../services/accounts";

export const loginRouter = Router();

const LANDING_PAGES = new Set(["/dashboard", "/projects", "/settings"]);

loginRouter.get("/login", (req, res) => {
  res.render("login", { next: req.query.next ?? "/dashboard" });
});

loginRouter.post("/login", async (req, res, next) => {
  try {
    const user = await authenticate(req.body.email, req.body.password);
    if (user === null) {
      res.status(401).render("login", { error: "Wrong e-mail or password" });
      return;
    }
    req.session.userId = user.id;
    const target = String(req.query.next);
    res.redirect(LANDING_PAGES.has(target) ? target : "/dashboard");
  } catch (error) {
    next(error);
  }
});

loginRouter.post("/logout", (req, res) => {
  req.session.destroy(() => res.redirect("/login"));
});
`,
    after: `import { Router } from "express";
import { authenticate } from "../services/accounts";

export const loginRouter = Router();

loginRouter.get("/login", (req, res) => {
  res.render("login", { next: req.query.next ?? "/dashboard" });
});

loginRouter.post("/login", async (req, res, next) => {
  try {
    const user = await authenticate(req.body.email, req.body.password);
    if (user === null) {
      res.status(401).render("login", { error: "Wrong e-mail or password" });
      return;
    }
    req.session.userId = user.id;
    const target = req.query.next ? String(req.query.next) : "/dashboard";
    res.redirect(target);
  } catch (error) {
    next(error);
  }
});

loginRouter.post("/logout", (req, res) => {
  req.session.destroy(() => res.redirect("/login"));
});
`,
    line: 19,
    also: [18],
    severity: "major",
  },
  {
    id: "third-ts-sql-template",
    language: "typescript",
    kind: "SQL injection",
    path: "server/api/products.ts",
    before: null,
    after: `import type { FastifyInstance } from "fastify";
import { pool } from "../db/pool";

type ProductQuery = { category?: string; limit?: string };

export async function productRoutes(app: FastifyInstance): Promise<void> {
  app.get<{ Params: { id: string } }>("/products/:id", async (request, reply) => {
    const { rows } = await pool.query("SELECT * FROM products WHERE id = $1", [request.params.id]);
    if (rows.length === 0) return reply.code(404).send({ error: "not found" });
    return rows[0];
  });

  app.get<{ Querystring: ProductQuery }>("/products", async (request) => {
    const { category, limit = "20" } = request.query;
    const max = Math.min(Number.parseInt(limit, 10) || 20, 100);
    if (!category) {
      const { rows } = await pool.query("SELECT id, name, price FROM products LIMIT $1", [max]);
      return rows;
    }
    const { rows } = await pool.query(
      \`SELECT id, name, price FROM products WHERE category = '\${category}' ORDER BY name LIMIT \${max}\`,
    );
    return rows;
  });
}
`,
    line: 21,
    severity: "major",
  },
  {
    id: "third-ts-dom-xss",
    language: "typescript",
    kind: "URL parameter written as HTML",
    path: "public/js/search-page.js",
    before: null,
    after: `const resultList = document.querySelector("#results");
const heading = document.querySelector("#heading");
const spinner = document.querySelector("#spinner");

async function search(term) {
  const response = await fetch(\`/api/search?q=\${encodeURIComponent(term)}\`);
  if (!response.ok) throw new Error(\`search failed: \${response.status}\`);
  return response.json();
}

function renderItem({ title, href }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = href;
  link.textContent = title;
  item.append(link);
  return item;
}

async function start() {
  const term = new URLSearchParams(window.location.search).get("q") ?? "";
  heading.innerHTML = \`Results for <em>\${term}</em>\`;
  spinner.hidden = false;
  try {
    const items = await search(term);
    resultList.replaceChildren(...items.map(renderItem));
  } finally {
    spinner.hidden = true;
  }
}

document.addEventListener("DOMContentLoaded", () => {
  start().catch((error) => console.error(error));
});
`,
    line: 22,
    severity: "major",
  },
  {
    id: "third-ts-foreach-async",
    language: "typescript",
    kind: "async callback of forEach isn't awaited",
    path: "src/jobs/expire-trials.ts",
    before: `import { accounts } from "../db/accounts";
import { sendMail } from "../mail/send-mail";
import { logger } from "../logger";

type Result = { expired: number };

export async function expireTrials(now: Date): Promise<Result> {
  const due = await accounts.findTrialsEndingBefore(now);
  let expired = 0;
  for (const account of due) {
    await accounts.update(account.id, { plan: "free", trialEndsAt: null });
    await sendMail({
      to: account.ownerEmail,
      template: "trial-expired",
      data: { name: account.ownerName },
    });
    expired += 1;
  }
  logger.info({ expired }, "trials expired");
  return { expired };
}
`,
    after: `import { accounts } from "../db/accounts";
import { sendMail } from "../mail/send-mail";
import { logger } from "../logger";

type Result = { expired: number };

export async function expireTrials(now: Date): Promise<Result> {
  const due = await accounts.findTrialsEndingBefore(now);
  let expired = 0;
  due.forEach(async (account) => {
    await accounts.update(account.id, { plan: "free", trialEndsAt: null });
    await sendMail({
      to: account.ownerEmail,
      template: "trial-expired",
      data: { name: account.ownerName },
    });
    expired += 1;
  });
  logger.info({ expired }, "trials expired");
  return { expired };
}
`,
    line: 10,
    severity: "medium",
  },
];
