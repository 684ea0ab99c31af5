/** SQL with interpolated values that is passed to a function that runs it. Interpolated identifiers are ignored. */
import type { SyntaxNode } from "../../../syntax/syntax.ts";
import { type Piece, piecesOf, textOf } from "../syntax/built-text.ts";
import { callsIn } from "../syntax/calls.ts";
import { type FileFacts, factsOf } from "../file-facts.ts";
import { isKnownValue } from "../syntax/known-value.ts";
import { bad, good, nameOr, type RuleMatch, type TreeRule } from "../rule.ts";

const STATEMENT =
  /^[\s(]*(?:SELECT\b[^]*\bFROM\b|INSERT\s+(?:IGNORE\s+)?INTO\b|REPLACE\s+INTO\b|UPDATE\s+\S+\s+SET\b|DELETE\s+FROM\b)/i;

const RUNNERS: ReadonlySet<string> = new Set(
  `query execute exec run all get each prepare raw $queryRawUnsafe $executeRawUnsafe unsafe one many any none oneOrNone
  manyOrNone executemany executescript read_sql read_sql_query text fetch fetchrow fetchval fetch_all fetchAll fetchOne
  Query QueryRow Exec QueryContext QueryRowContext ExecContext Prepare PrepareContext Raw executeQuery executeUpdate
  executeStatement prepareStatement createQuery createNativeQuery queryForObject queryForList update batchUpdate
  rawQuery execSQL addBatch SqlCommand MySqlCommand NpgsqlCommand SqliteCommand SQLiteCommand OracleCommand
  SqlDataAdapter FromSqlRaw ExecuteSqlRaw ExecuteSqlRawAsync ExecuteSqlCommand SqlQuery QueryAsync Execute ExecuteAsync
  QueryFirst QueryFirstOrDefault QueryFirstAsync QueryFirstOrDefaultAsync exec_query select_all select_value select_rows
  find_by_sql mysqli_query mysql_query pg_query sqlite_query mysqli_multi_query real_query multi_query get_results
  get_row get_var get_col select statement unprepared`.split(/\s+/),
);

/** An unquoted placeholder with such a name is usually a piece of SQL, not a value. */
const GRAMMAR_NAME =
  /placeholder|column|\bcol|field|alias|table|expr|sql|query|cond|where|clause|param|mark|bind|prefix|schema|func|fragment|limit|offset|length|count|num|index|size|\bnow\b|time|date|interval|lit|val\b|stmt|select/i;

const QUOTED = /(?:[=<>]|\blike)\s*[NE]?\\?'%?$/i;
const QUOTED_IN_INSERT = /[=(,]\s*[NE]?\\?'%?$/i;

/** Enough of the text before a placeholder to see its operator. */
const MAX_TEXT_BEFORE = 100;

/** Facts about the text before a placeholder. */
type Before = {
  /** Its last characters. */
  readonly end: string;
  readonly isQuoted: boolean;
  /** The statement begins with INSERT or REPLACE. */
  readonly isInsert: boolean;
};

/** The first value interpolated into a statement, or null. */
function interpolatedValue(pieces: readonly Piece[], facts: FileFacts): SyntaxNode | null {
  const isInsert = /^\s*(?:INSERT|REPLACE)\b/i.test(textOf(pieces, "0"));
  let end = "";
  let isQuoted = false;
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "text") {
      end = (end + piece.text).slice(-MAX_TEXT_BEFORE);
      isQuoted = isQuoted !== (piece.text.split("'").length % 2 === 0);
      continue;
    }
    const next = pieces[index + 1];
    const after = next?.kind === "text" ? next.text : "";
    const isValue = isValuePosition({ end, isQuoted, isInsert }, after, piece.node);
    if (isValue && !isKnownValue(piece.node, facts)) return piece.node;
    end += "0";
  }
  return null;
}

function isValuePosition(before: Before, after: string, node: SyntaxNode): boolean {
  if (before.isQuoted) {
    // In parentheses, a literal is a value only in a VALUES list; elsewhere it may be a format or a name.
    const opener = before.isInsert ? QUOTED_IN_INSERT : QUOTED;
    return opener.test(before.end) && /^%?\\?'/.test(after);
  }
  if (!/(?:[=<>]|\bLIKE|\bVALUES\s*\()\s*$/i.test(before.end) || /^[.\w(:"[]/.test(after)) return false;
  const text = node.text();
  // In a path such as `req.params.id`, only the last name counts.
  return !GRAMMAR_NAME.test(/^[\w$.>?-]+$/.test(text) ? (/\w+$/.exec(text)?.[0] ?? "") : text);
}

function* check(root: SyntaxNode, language: string): Iterable<RuleMatch> {
  const facts = factsOf(root, language);
  const seen = new Set<number>();
  // Many calls may share a name that stands for the same few expressions; each expression is checked once.
  const judged = { where: new Set<SyntaxNode>(), runner: new Set<SyntaxNode>() };
  for (const call of callsIn(
    root,
    language,
    (name) => RUNNERS.has(name) || (language === "ruby" && name === "where"),
  )) {
    const isWhere = call.name === "where";
    const known = isWhere ? judged.where : judged.runner;
    for (const arg of call.args.slice(0, 3)) {
      for (const expression of statementsBehind(arg, facts)) {
        if (known.has(expression)) continue;
        known.add(expression);
        const pieces = piecesOf(expression);
        const isStatement = STATEMENT.test(textOf(pieces, "x")) || (isWhere && arg.kind() === "string");
        const found = isStatement ? interpolatedValue(pieces, facts) : null;
        // Ruby's `where` usually gets numeric ids rather than text.
        const value = found !== null && isWhere && !isInQuotes(found) ? null : found;
        const line = value === null ? 0 : value.range().start.line + 1;
        if (value === null || seen.has(line)) continue;
        seen.add(line);
        yield {
          line,
          title: `Possible SQL injection: ${nameOr(value.text(), "a value")} is interpolated into the query`,
          detail: `The database parses the value of \`${shorten(value.text())}\` as SQL, not as data.`,
        };
      }
    }
  }
}

function isInQuotes(hole: SyntaxNode): boolean {
  const around = hole.parent();
  return /'%?$/.test(around?.prev()?.text() ?? "");
}

/** The argument, or the expressions assigned to its name in the same function before the call. */
function statementsBehind(arg: SyntaxNode, facts: FileFacts): readonly SyntaxNode[] {
  const text = arg.text();
  if (!/^\$?[A-Za-z_]\w*$/.test(text)) return [arg];
  return facts.assignedBefore(arg, text).map(({ value }) => value);
}

/** A longer expression doesn't help the reader of a sentence. */
const MAX_SHOWN_CHARS = 60;

function shorten(text: string): string {
  const line = text.replaceAll("`", "'").replaceAll(/\s+/g, " ");
  return line.length > MAX_SHOWN_CHARS ? `${line.slice(0, MAX_SHOWN_CHARS)}…` : line;
}

export const sqlFromStrings: TreeRule = {
  kind: "tree",
  id: "sql-from-strings",
  title: "Possible SQL injection: a value is interpolated into the query",
  severity: "critical",
  category: "security",
  why: "Anyone who controls the value can change the statement and run their own SQL. Even a harmless quote breaks the query.",
  fix: "Pass the value as a bound parameter (`?`, `$1`, `:name`, or `%s` with a separate argument) and keep the SQL constant.",
  languages: ["javascript", "typescript", "tsx", "python", "go", "java", "csharp", "ruby", "php"],
  inTests: false,
  trigger: /\b(?:select|insert|update|delete|replace|where|values|like)\b/i,
  // A migration runs once, on values from its author or from the same database.
  check: (root, file) => (/migrat/i.test(file.path) ? [] : check(root, file.language)),
  examples: {
    bad: [
      bad(
        "src/users.ts",
        2,
        "export function find(db: Db, name: string) {\n  return db.query(`SELECT * FROM users WHERE name = '${name}'`);\n}\n",
      ),
      bad(
        "src/users.js",
        2,
        'function find(db, req) {\n  const sql = "SELECT * FROM users WHERE id = " + req.params.id;\n  return db.get(sql);\n}\n',
      ),
      bad(
        "app/users.py",
        2,
        "def find(cursor, name):\n    cursor.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n",
      ),
      bad(
        "app/drop.py",
        2,
        "def drop(cursor, key):\n    cursor.execute(\"DELETE FROM sessions WHERE key = '%s'\" % key)\n",
      ),
      bad(
        "app/add.py",
        2,
        "def add(cursor, name):\n    sql = \"INSERT INTO users (name) VALUES ('{}')\".format(name)\n    cursor.execute(sql)\n",
      ),
      bad(
        "store/user.go",
        6,
        'package store\n\nimport "fmt"\n\nfunc find(db DB, name string) {\n\trows, err := db.Query(fmt.Sprintf("SELECT id FROM users WHERE name = \'%s\'", name))\n\tuse(rows, err)\n}\n',
      ),
      bad(
        "src/Users.java",
        3,
        'class Users {\n  ResultSet find(Statement s, String name) throws SQLException {\n    return s.executeQuery("SELECT * FROM users WHERE name = \'" + name + "\'");\n  }\n}\n',
      ),
      bad(
        "Users.cs",
        3,
        "class Users {\n  SqlCommand Find(SqlConnection c, string name) {\n    return new SqlCommand($\"SELECT * FROM users WHERE name = '{name}'\", c);\n  }\n}\n",
      ),
      bad("app/models/user.rb", 2, "def find(name)\n  User.where(\"name = '#{name}'\")\nend\n"),
      bad(
        "users.php",
        4,
        "<?php\nfunction find($db, $name) {\n  return mysqli_query($db,\n    \"SELECT * FROM users WHERE name = '$name'\");\n}\n",
      ),
      bad(
        "users2.php",
        3,
        "<?php\nfunction find($db) {\n  $sql = \"SELECT * FROM users WHERE name = '\" . $_GET['name'] . \"'\";\n  return $db->query($sql);\n}\n",
      ),
    ],
    good: [
      good(
        "src/users.ts",
        "export function find(db: Db, name: string) {\n  return db.query(sql`SELECT * FROM users WHERE name = ${name}`);\n}\n",
      ),
      good(
        "src/pg.ts",
        'export function find(db: Db, ids: string[]) {\n  const marks = ids.map((_, i) => `$${i + 1}`).join(", ");\n  return db.query(`SELECT * FROM users WHERE id IN (${marks}) AND age > $${ids.length}`, ids);\n}\n',
      ),
      good(
        "src/table.ts",
        "export function all(db: Db, table: string, column: string) {\n  return db.query(`SELECT * FROM ${table} WHERE ${column} = ?`, [1]);\n}\n",
      ),
      good(
        "src/number.ts",
        "export function find(db: Db, id: number) {\n  return db.query(`SELECT * FROM users WHERE id = ${id}`);\n}\n",
      ),
      good(
        "src/constant.ts",
        "const STATE = 'open';\nexport function open(db: Db) {\n  return db.query(`SELECT * FROM jobs WHERE state = '${STATE}'`);\n}\n",
      ),
      good(
        "app/users.py",
        'def find(cursor, name):\n    cursor.execute("SELECT id FROM users WHERE name = %s", (name,))\n',
      ),
      good("app/log.py", "def log(name):\n    print(f\"SELECT id FROM users WHERE name = '{name}'\")\n"),
      good(
        "app/join.py",
        'def join(cursor, alias):\n    cursor.execute(f"SELECT id FROM users u JOIN teams {alias} ON u.team = {alias}.id")\n',
      ),
      good(
        "store/user.go",
        'package store\n\nimport "fmt"\n\nfunc find(db DB, id int) {\n\trows, err := db.Query(fmt.Sprintf("SELECT id FROM users WHERE id = %d", id))\n\tuse(rows, err)\n}\n',
      ),
      good(
        "users.php",
        "<?php\nfunction find($db, $name) {\n  $name = mysqli_real_escape_string($db, $name);\n  return mysqli_query($db, \"SELECT * FROM users WHERE name = '$name' AND id = \" . (int) $_GET['id']);\n}\n",
      ),
      good("app/models/user.rb", 'def find(name)\n  User.where("name = ?", name)\nend\n'),
    ],
  },
};
