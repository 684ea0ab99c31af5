/** SQL built from text: critical with outside input in it, major with a value that the caller passes. */
import { checkFlows, flowTrigger } from "../flow/flow-rule.ts";
import { FLOW_LANGUAGES } from "../flow/languages/all-languages.ts";
import type { SqlPlace } from "../flow/sql-place.ts";
import { RANK } from "../flow/value.ts";
import { bad, good, type TreeRule } from "../rule.ts";

const PLACES: Readonly<Record<SqlPlace, string>> = {
  quoted: "the SQL query",
  value: "the SQL query",
  list: "IN (…)",
  order: "ORDER BY",
  limit: "LIMIT",
  table: "a table name",
  other: "the SQL query",
};

export const sqlFromStrings: TreeRule = {
  kind: "tree",
  id: "sql-from-strings",
  title: "Possible SQL injection: a value is interpolated into the query",
  severity: "critical",
  category: "security",
  why: "Anyone who controls the value can change the statement and run their own SQL. Even a harmless quote breaks the query.",
  fix: "Pass the value as a bound parameter (`?`, `$1`, `:name`, or `%s` with a separate argument). For a column or direction, use a list of allowed names.",

  languages: FLOW_LANGUAGES,
  trigger: flowTrigger(
    /\b(?:select|insert|update|delete|replace|where|values|like|order\s+by|raw|literal|extra)\b|Raw\(/i,
  ),
  check: checkFlows({
    kind: "sql",
    outside: "critical",
    title: (name, { hole, place }) =>
      hole.rank === RANK.outside
        ? `SQL injection: ${name} reaches ${PLACES[place ?? "other"]}`
        : `Possible SQL injection: ${name} is interpolated into the query`,
    // A migration runs once, on values from its author or from the same database.
    isWanted: ({ hole }, file) => hole.rank === RANK.outside || !/migrat/i.test(file.path),
  }),
  examples: {
    bad: [
      bad(
        "src/users.ts",
        2,
        "export function find(db: Db, name: string) {\n  return db.query(`SELECT * FROM users WHERE name = '${name}'`);\n}\n",
      ),
      bad(
        "src/users.js",
        3,
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
        3,
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
        4,
        "<?php\nfunction find($db) {\n  $sql = \"SELECT * FROM users WHERE name = '\" . $_GET['name'] . \"'\";\n  return $db->query($sql);\n}\n",
      ),
      bad(
        "src/list.ts",
        3,
        "app.get('/users', async (req, res) => {\n  const { sort = 'name' } = req.query;\n  res.json(await db.query(`SELECT * FROM users ORDER BY ${sort}`));\n});\n",
      ),
      bad(
        "src/many.js",
        2,
        "router.post('/find', async (req, res) => {\n  const rows = await knex('users').whereRaw(`id IN (${req.body.ids.join(',')})`);\n  res.json(rows);\n});\n",
      ),
      bad(
        "src/literal.js",
        2,
        "exports.list = (req, res) =>\n  User.findAll({ order: sequelize.literal(req.query.order) }).then((rows) => res.json(rows));\n",
      ),
      bad(
        "src/typeorm.ts",
        3,
        "class Users {\n  find(@Query('name') name: string) {\n  return this.repo.createQueryBuilder('u').where(`u.name = '${name}'`).getMany();\n  }\n}\n",
      ),
      bad(
        "app/account.py",
        3,
        "def find(cursor, account_name):\n    cursor.execute(\n        f\"SELECT id FROM accounts WHERE name = '{account_name}'\")\n",
      ),
      bad(
        "app/views.py",
        3,
        "def search(request):\n    term = request.GET.get('q', '')\n    return User.objects.raw(\"SELECT * FROM users WHERE name LIKE '%\" + term + \"%'\")\n",
      ),
      bad(
        "app/api.py",
        3,
        "@app.get('/items')\ndef items(sort: str, db=Depends(get_db)):\n    return db.execute(text(f'SELECT * FROM items ORDER BY {sort}')).all()\n",
      ),
      bad(
        "store/list.go",
        8,
        'package store\n\nimport "fmt"\n\nfunc (s *Server) list(w http.ResponseWriter, r *http.Request) {\n\tname := r.URL.Query().Get("name")\n\tsql := fmt.Sprintf("SELECT id FROM users WHERE name = \'%s\'", name)\n\trows, err := s.db.QueryContext(r.Context(), sql)\n\tuse(rows, err)\n}\n',
      ),
      bad(
        "store/gin.go",
        4,
        'package store\n\nfunc list(c *gin.Context) {\n\trows, err := db.Query("SELECT id FROM users ORDER BY " + c.Query("sort"))\n\tuse(rows, err)\n}\n',
      ),
      bad(
        "src/UserController.java",
        7,
        'class UserController {\n  @GetMapping("/users")\n  List<User> find(@RequestParam String name) {\n    StringBuilder sql = new StringBuilder("SELECT u FROM User u");\n    if (name != null)\n      sql.append(" WHERE u.name = \'").append(name).append("\'");\n    return em.createQuery(sql.toString(), User.class).getResultList();\n  }\n}\n',
      ),
      bad(
        "UsersController.cs",
        4,
        'public class UsersController : ControllerBase {\n  [HttpGet]\n  public IActionResult Find(string sort) =>\n    Ok(_db.Users.FromSqlRaw($"SELECT * FROM Users ORDER BY {sort}").ToList());\n}\n',
      ),
      bad(
        "app/controllers/users_controller.rb",
        3,
        'class UsersController < ApplicationController\n  def index\n    @users = User.order("#{params[:sort]} ASC")\n  end\nend\n',
      ),
      bad(
        "UserController.php",
        4,
        "<?php\nclass UserController {\n  function index(Request $request) {\n    return DB::table('users')->orderByRaw($request->input('sort'))->get();\n  }\n}\n",
      ),
      bad(
        "src/users.rs",
        3,
        "async fn find(Query(q): Query<Search>, State(db): State<PgPool>) -> Json<Vec<User>> {\n    let sql = format!(\"SELECT * FROM users WHERE name = '{}'\", q.name);\n    Json(sqlx::query_as(&sql).fetch_all(&db).await.unwrap())\n}\n",
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
      good(
        "src/sorted.ts",
        "app.get('/users', async (req, res) => {\n  const sort = String(req.query.sort);\n  if (!COLUMNS.includes(sort)) return res.sendStatus(400);\n  const dir = req.query.dir === 'desc' ? 'DESC' : 'ASC';\n  const limit = parseInt(req.query.limit, 10);\n  res.json(await db.query(`SELECT * FROM users ORDER BY ${sort} ${dir} LIMIT ${limit}`));\n});\n",
      ),
      good(
        "src/marks.js",
        "exports.list = async (req, res) => {\n  const ids = req.body.ids.map(Number);\n  const marks = req.body.names.map(() => '?').join(',');\n  res.json(await db.query(`SELECT * FROM users WHERE id IN (${ids.join(',')}) OR name IN (${marks})`, req.body.names));\n};\n",
      ),
      good(
        "src/cache.js",
        "exports.get = async (req, res) => {\n  res.json(await client.get(`user:${req.params.id}`));\n  res.json(await client.query({ text: 'SELECT 1 FROM users WHERE id = $1', values: [req.params.id] }));\n};\n",
      ),
      good(
        "app/views.py",
        "def search(request):\n    sort = {'name': 'u.name', 'age': 'u.age'}.get(request.GET.get('sort'), 'u.id')\n    page = int(request.GET.get('page', 1))\n    cursor.execute(f'SELECT * FROM users u ORDER BY {sort} LIMIT 10 OFFSET {page * 10}')\n",
      ),
      good(
        "app/since.py",
        "def recent(cursor):\n    since = datetime.now() - timedelta(days=1)\n    cursor.execute(f\"SELECT id FROM events WHERE at > '{since.isoformat()}'\")\n",
      ),
      good(
        "store/list.go",
        'package store\n\nfunc list(w http.ResponseWriter, r *http.Request) {\n\tid, err := strconv.Atoi(r.FormValue("id"))\n\torder := "name"\n\tif r.FormValue("order") == "age" {\n\t\torder = "age"\n\t}\n\trows, err := db.Query(fmt.Sprintf("SELECT id FROM users WHERE id = %d ORDER BY %s", id, order))\n\tuse(rows, err)\n}\n',
      ),
      good(
        "src/UserController.java",
        'class UserController {\n  @GetMapping("/users")\n  List<User> find(@RequestParam String name, @RequestParam Long id) {\n    em.createQuery("SELECT u FROM User u WHERE u.id = " + id, User.class);\n    return em.createQuery("SELECT u FROM User u WHERE u.name = :name", User.class).setParameter("name", name).getResultList();\n  }\n}\n',
      ),
      good(
        "UsersController.cs",
        'public class UsersController : ControllerBase {\n  [HttpGet]\n  public IActionResult Find(string name, int id) {\n    _db.Users.FromSqlRaw($"SELECT * FROM Users WHERE Id = {id}");\n    return Ok(_db.Users.FromSqlInterpolated($"SELECT * FROM Users WHERE Name = {name}").ToList());\n  }\n}\n',
      ),
      good(
        "app/controllers/users_controller.rb",
        'class UsersController < ApplicationController\n  def index\n    column = %w[name age].include?(params[:sort]) ? params[:sort] : \'name\'\n    @users = User.where(name: params[:name]).where("age > #{params[:age].to_i}").order("#{column} ASC")\n  end\nend\n',
      ),
      good(
        "src/users.rs",
        'async fn find(Query(q): Query<Search>, Path(id): Path<u32>, State(db): State<PgPool>) -> Json<Vec<User>> {\n    let sql = format!("SELECT * FROM users WHERE id = {} AND name = $1", id);\n    Json(sqlx::query_as(&sql).bind(&q.name).fetch_all(&db).await.unwrap())\n}\n',
      ),
      good(
        "time.php",
        "<?php\nfunction prune($db, int $days) {\n  $limit = time() - $days * 86400;\n  $order = $_GET['order'] === 'asc' ? 'ASC' : 'DESC';\n  $id = (int) $_GET['id'];\n  $db->query(\"DELETE FROM logs WHERE at < '$limit' AND id = '$id' ORDER BY at $order\");\n}\n",
      ),
    ],
  },
};
