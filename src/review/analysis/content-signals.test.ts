import assert from "node:assert/strict";
import { test } from "node:test";
import { contentSignalsIn, isComment, readContentSignals, type ContentSignalId } from "./content-signals.ts";

const LINES: readonly [language: string, line: string, signals: string][] = [
  ["typescript", 'const h = createHash("md5");', "cryptography"],
  ["python", "digest = hashlib.sha256(data).hexdigest()", "cryptography"],
  ["go", '\t"crypto/tls"', "cryptography"],
  ["java", 'Cipher.getInstance("AES")', "cryptography"],
  ["typescript", "const design = assign(signal);", ""],
  ["typescript", 'db.query("SELECT id, name FROM users WHERE id = " + id)', "raw-sql"],
  ["python", 'cursor.execute(f"delete from users")', "raw-sql"],
  ["typescript", "  SELECT id", ""],
  ["typescript", "  UPDATE users SET name = $1", "raw-sql"],
  ["typescript", "prisma.$queryRawUnsafe(q)", "raw-sql"],
  ["typescript", 'label: "Select a file from the list"', ""],
  ["typescript", 'label: "Delete from here"', ""],
  ["typescript", 'q("select * from users")', "raw-sql"],
  ["sql", "SELECT id FROM users;", ""],
  ["javascript", "eval(input)", "code-execution"],
  ["javascript", "const m = pattern.exec(text);", ""],
  ["javascript", "const m = /a/g.exec (text);", ""],
  ["javascript", "function evaluate(x) {", ""],
  ["javascript", "function exec(x) {", ""],
  ["javascript", "medieval(x)", ""],
  ["javascript", 'import { exec } from "node:child_process";', "code-execution"],
  ["javascript", "new Function(code)", "code-execution"],
  ["python", "subprocess.run(cmd, shell=True)", "code-execution"],
  ["python", "os.system(cmd)", "code-execution"],
  ["go", "cmd := exec.Command(name)", "code-execution"],
  ["rust", "tokio::spawn(async move {", ""],
  ["rust", 'Command::new("ls")', "code-execution"],
  ["bash", 'eval "$cmd"', "code-execution"],
  ["python", "obj = pickle.loads(data)", "deserialisation"],
  ["python", "yaml.load(text)", "deserialisation"],
  ["python", "yaml.safe_load(text)", ""],
  ["php", "$a = unserialize($b);", "deserialisation"],
  ["java", "new ObjectInputStream(in)", "deserialisation"],
  ["javascript", "JSON.parse(text)", ""],
  ["javascript", "fs.chmodSync(path, 0o600)", "permissions"],
  ["dockerfile", "RUN chmod 777 /app", "permissions"],
  ["yaml", "permissions:", "permissions"],
  ["yaml", "  privileged: true", "permissions"],
  ["sql", "GRANT ALL ON users TO app;", "permissions"],
  ["typescript", "const permissions: string[] = [];", ""],
];

test("added lines raise signals by calls, not by substrings", () => {
  for (const [language, line, signals] of LINES) {
    const found = new Set<ContentSignalId>();
    readContentSignals(line, contentSignalsIn(line, language), found);
    assert.equal([...found].join(" "), signals, line);
  }
});

test("a comment isn't code", () => {
  for (const line of ["// eval(x)", "  # eval(x)", " * eval(x)", "/* a */", "<!-- a -->", "-- drop"]) {
    assert.ok(isComment(line), line);
  }
  for (const line of ["eval(x) // now", "a * b", "--count;"]) assert.ok(!isComment(line), line);
});
