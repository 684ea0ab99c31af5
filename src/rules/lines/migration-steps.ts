/**
 * Finds migration steps that lose data or break running code: SQL statements, and calls of Rails, Django, Alembic,
 * Laravel, knex, TypeORM and Entity Framework. It reads lines and skips the steps of a rollback.
 */
import type { VisibleLine } from "./visible-lines.ts";

export type MigrationStep = {
  readonly line: number;
  readonly kind:
    | "drop-table"
    | "drop-column"
    | "drop-database"
    | "empty-table"
    | "rename"
    | "required-column"
    | "type-change";
  /** The table or column; "" when the line doesn't name it. */
  readonly target: string;
};

/** Start of the rollback part, and of the forward part. */
const DOWN =
  /^\s*(?:(?:public|protected|private|export|static|override|async|default|final)\s+){0,4}(?:def\s+(?:self\.)?(?:down|downgrade|reverse|backwards?|rollback|undo)\w*|(?:function\s+|void\s+)?[dD]own\s*[(:]|(?:const|let|var)\s+down\b|(?:module\.)?exports\.down\b)|^\s*--\s*(?:\+\s*goose\s+down|migrate:down|\+migrate\s+down|rollback|undo|down\b)|\bdir\.down\b/i;
const UP =
  /^\s*(?:(?:public|protected|private|export|static|override|async|default|final)\s+){0,4}(?:def\s+(?:self\.)?(?:up|upgrade|change|forwards?)\w*|(?:function\s+|void\s+)?[uU]p\s*[(:]|(?:const|let|var)\s+up\b|(?:module\.)?exports\.up\b)|^\s*--\s*(?:\+\s*goose\s+up|migrate:up|\+migrate\s+up|up\b)|\bdir\.up\b|^class /i;
/** A linter comment marks the next step as safe, or the line belongs to a rollback. */
const VOUCHED = /squawk-ignore|strong_migrations|migration-lint|reverse_sql|reverse_code/;

const NAME = '((?:[\\w.$]|"|`|\\[|\\]){1,120})';

const SQL_STEPS: readonly (readonly [MigrationStep["kind"], RegExp])[] = [
  ["drop-database", new RegExp(`^DROP\\s+(?:DATABASE|SCHEMA)\\s+(?:IF\\s+EXISTS\\s+)?${NAME}`, "i")],
  ["drop-table", new RegExp(`^DROP\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?${NAME}`, "i")],
  [
    "drop-column",
    new RegExp(`^ALTER\\s+TABLE\\s+.{1,1000}?\\bDROP\\s+COLUMN\\s+(?:IF\\s+EXISTS\\s+)?${NAME}`, "is"),
  ],
  ["rename", new RegExp(`^ALTER\\s+TABLE\\s+.{1,200}?\\bRENAME\\s+COLUMN\\s+${NAME}`, "is")],
  [
    "type-change",
    new RegExp(
      `^ALTER\\s+TABLE\\s+.{1,200}?\\bALTER\\s+(?:COLUMN\\s+)?${NAME}\\s+(?:SET\\s+DATA\\s+)?TYPE\\s+(?!(?:text|varchar|character varying|bigint|timestamptz|jsonb)\\b)`,
      "is",
    ),
  ],
  ["empty-table", new RegExp(`^TRUNCATE\\s+(?:TABLE\\s+)?(?:ONLY\\s+)?${NAME}`, "i")],
  ["empty-table", new RegExp(`^DELETE\\s+FROM\\s+(?:ONLY\\s+)?${NAME}\\s*$`, "i")],
];
const REQUIRED_COLUMN = new RegExp(
  `^ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(?:ONLY\\s+)?${NAME}\\s+ADD\\s+(?:COLUMN\\s+)?(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}\\s[^;,]{1,200}?\\bNOT\\s+NULL\\b`,
  "is",
);
const HAS_VALUE = /\bDEFAULT\b|\bGENERATED\b|\bIDENTITY\b|\bSERIAL\b|\bAUTO_?INCREMENT\b|`/i;
const ALTERED = new RegExp(`^ALTER\\s+TABLE\\s+(?:IF\\s+EXISTS\\s+)?(?:ONLY\\s+)?${NAME}`, "i");
const CREATED = new RegExp(
  `\\bCREATE\\s+(?:TEMP(?:ORARY)?\\s+|UNLOGGED\\s+)?(?:TABLE|(?:MATERIALIZED\\s+)?VIEW)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}|\\bRENAME\\s+TO\\s+${NAME}`,
  "gi",
);
/** The statements in a routine's body don't run during the migration. */
const ROUTINE = /\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:DEFINER\S*\s+)?(?:FUNCTION|PROCEDURE|TRIGGER|RULE)\b/i;

const CALL_STEPS: readonly (readonly [MigrationStep["kind"], RegExp])[] = [
  ["drop-table", /^\s*drop_table[\s(]+[:"'](\w+)/],
  ["drop-column", /^\s*remove_(?:column|reference|belongs_to|columns)[\s(]+[:"']\w+["']?,\s*[:"'](\w+)/],
  ["rename", /^\s*rename_(?:column|table)[\s(]+[:"'](\w+)/],
  ["required-column", /^\s*add_column[\s(]+[:"']\w+["']?,\s*[:"'](\w+)(?!.*\bdefault\b).*\bnull:\s*false\b/],
  ["drop-table", /^\s*migrations\.DeleteModel\(\s*(?:name\s*=\s*)?["']?(\w*)/],
  ["drop-column", /^\s*migrations\.RemoveField\((?:.{0,120}?\bname\s*=\s*["'](\w+))?/],
  ["drop-table", /^\s*op\.drop_table\(\s*["'](\w+)/],
  ["drop-column", /^\s*op\.drop_column\(\s*["']\w+["'],\s*["'](\w+)/],
  ["drop-column", /^\s*batch_op\.drop_column\(\s*["'](\w+)/],
  ["drop-table", /^\s*Schema::(?:drop|dropIfExists)\(\s*["'](\w+)/],
  ["drop-column", /^\s*\$\w+->dropColumn\(\s*(?:\[\s*)?["'](\w+)/],
  ["rename", /^\s*\$\w+->renameColumn\(\s*["'](\w+)/],
  [
    "drop-table",
    /^\s*(?:await\s+|return\s+)?\w+(?:\.schema)?\.(?:dropTable|dropTableIfExists)\(\s*["'`](\w+)/,
  ],
  ["drop-column", /^\s*(?:await )?\w+\.(?:dropColumn|removeColumn)\(\s*["'`](\w+)/],
  ["drop-table", /^\s*migrationBuilder\.DropTable\(\s*(?:name:\s*"(\w+))?/],
  ["drop-column", /^\s*migrationBuilder\.DropColumn\(\s*(?:name:\s*"(\w+))?/],
  ["rename", /^\s*migrationBuilder\.Rename(?:Column|Table)\(\s*(?:name:\s*"(\w+))?/],
  ["rename", /^\s*migrations\.Rename(?:Field|Model)\((?:.{0,120}?\bold_name\s*=\s*["'](\w+))?/],
  ["drop-column", /^\s*t\.drop(?:Column|Columns)\(\s*["'`](\w+)/],
  ["drop-column", /^\s*t\.remove(?:\s+|\()[:"'](\w+)/],
];
/** The first argument of a call about a column. */
const CALL_TABLE = /^\s*(?:\w+\.)?(?:\w*[cC]olumn\w*|\w*[rR]eference)[\s(]+[:"'`](\w+)/;
const CREATE_CALL =
  /\b(?:create_table|createTable|CreateTable|Schema::create|op\.create_table)\b[\s(]+(?:name:\s*)?[:"'`](\w+)/g;
const EMBEDDED =
  /\b(?:execute|query|raw|runSql|RunSQL|statement|unprepared|Sql)\b\s*\(?[^"'`]{0,40}["'`]{1,3}\s*((?:DROP|TRUNCATE|ALTER)\s.{1,400})/i;

/** Tables and views that a migration creates itself. */
export function createdTables(lines: readonly VisibleLine[]): ReadonlySet<string> {
  return namesIn(lines.map(({ text }) => text).join("\n"), CREATED, CREATE_CALL);
}

/** `created`: tables that the change creates, which no running code uses yet. */
export function migrationSteps(
  lines: readonly VisibleLine[],
  language: string,
  created: ReadonlySet<string>,
): readonly MigrationStep[] {
  const up = upLines(lines);
  const whole = lines.map(({ text }) => text).join("\n");
  const steps = language === "sql" ? sqlSteps(up, ROUTINE.test(whole)) : callSteps(up);
  return steps.filter(({ tables }) => !tables.some((table) => created.has(table))).map(({ step }) => step);
}

type Candidate = { readonly step: MigrationStep; readonly tables: readonly string[] };

function upLines(lines: readonly VisibleLine[]): readonly VisibleLine[] {
  let isDown = false;
  let isVouched = false;
  return lines.filter(({ text }) => {
    if (DOWN.test(text)) isDown = true;
    else if (UP.test(text)) isDown = false;
    const wasVouched = isVouched;
    isVouched = VOUCHED.test(text);
    return !isDown && !isVouched && !wasVouched;
  });
}

function* statementsOf(
  lines: readonly VisibleLine[],
): Generator<{ readonly line: number; readonly text: string }> {
  let start: number | null = null;
  let text = "";
  for (const line of lines) {
    for (const piece of line.text.replace(/--.*$|\/\*.*?\*\//g, "").split(/(?<=;)/)) {
      if (start === null && piece.trim() === "") continue;
      start ??= line.line;
      text += `${piece}\n`;
      if (!piece.endsWith(";")) continue;
      yield { line: start, text: text.trim().replace(/;$/, "").trim() };
      start = null;
      text = "";
    }
  }
  if (start !== null) yield { line: start, text: text.trim() };
}

function sqlSteps(lines: readonly VisibleLine[], hasRoutines: boolean): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const { line, text } of statementsOf(lines)) {
    const candidate = sqlStep(text, line);
    if (candidate !== null && !(hasRoutines && candidate.step.kind === "empty-table"))
      candidates.push(candidate);
  }
  return candidates;
}

function sqlStep(text: string, line: number): Candidate | null {
  const altered = bare(ALTERED.exec(text)?.[1] ?? "");
  for (const [kind, pattern] of SQL_STEPS) {
    const [, name] = pattern.exec(text) ?? [];
    if (name !== undefined)
      return { step: { line, kind, target: bare(name) }, tables: [altered, bare(name)] };
  }
  const [, table, column] = REQUIRED_COLUMN.exec(text) ?? [];
  if (table === undefined || column === undefined || HAS_VALUE.test(text)) return null;
  return { step: { line, kind: "required-column", target: bare(column) }, tables: [bare(table)] };
}

function callSteps(lines: readonly VisibleLine[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const { line, text } of lines) {
    const call = CALL_STEPS.find(([, pattern]) => pattern.test(text));
    if (call !== undefined) {
      const [kind, pattern] = call;
      const target = pattern.exec(text)?.[1] ?? "";
      const table = CALL_TABLE.exec(text)?.[1] ?? "";
      candidates.push({
        step: { line, kind, target },
        tables: [kind === "drop-table" ? target.toLowerCase() : table.toLowerCase()],
      });
      continue;
    }
    const embedded = sqlStep(EMBEDDED.exec(text)?.[1] ?? "", line);
    // A string may continue on the next line, so only steps that the first words identify are certain.
    if (embedded !== null && embedded.step.kind !== "required-column" && embedded.step.kind !== "rename")
      candidates.push(embedded);
  }
  return candidates;
}

function namesIn(text: string, ...patterns: readonly RegExp[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pattern of patterns) {
    for (const [, first, second] of text.matchAll(pattern)) names.add(bare(first ?? second ?? ""));
  }
  names.delete("");
  return names;
}

/** The name without quotes and schema, in lower case, for comparison. */
function bare(name: string): string {
  return name
    .replace(/["`[\]]/g, "")
    .replace(/^.*\./, "")
    .toLowerCase();
}
