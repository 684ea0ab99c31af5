/**
 * Risk signals from added lines. Each line is read once, in order; path-signals.ts reads paths. A signal means "look
 * here", never "this is wrong": findings come from the built-in rules.
 */

export type ContentSignalId =
  | "cryptography"
  | "raw-sql"
  | "code-execution"
  | "deserialisation"
  | "permissions";

type ContentSignal = {
  readonly id: ContentSignalId;
  /** Every match contains one of these. Testing them first saves most changes from compiling the patterns. */
  readonly parts: readonly string[];
  readonly pattern: RegExp;
};

const CONTENT_SIGNALS: readonly ContentSignal[] = [
  {
    id: "cryptography",
    parts: [
      "createH",
      "createSign",
      "createVerify",
      "createDiffie",
      "pbkdf2",
      "PBKDF2",
      "scrypt",
      "bcrypt",
      "argon2",
      "hashlib",
      "hmac",
      "HMAC",
      "MessageDigest",
      "ipher",
      "SecretKeySpec",
      "KeyPairGenerator",
      "SecureRandom",
      "EVP_",
      "openssl_",
      "CryptoJS",
      "subtle.",
      "Fernet",
      "AES",
      "RSA.",
      "X509",
      "x509",
      "jwt.",
      "md5.",
      "sha1.",
      "sha256.",
      "sha512.",
      "password_",
      "crypto/",
    ],
    pattern:
      /\b(?:create(?:Hash|Hmac|Cipheriv|Decipheriv|Sign|Verify|DiffieHellman)|pbkdf2(?:Sync|_hmac)?|PBKDF2\w{0,20}|scrypt(?:Sync)?|bcrypt|argon2\w{0,4}|hashlib|hmac|HMAC|MessageDigest|Cipher\.getInstance|SecretKeySpec|KeyPairGenerator|SecureRandom|EVP_\w{1,40}|openssl_(?:en|de)crypt|CryptoJS|subtle\.(?:encrypt|decrypt|sign|verify|digest|importKey|deriveKey)|Fernet|AESGCM|AES\.new|RSA\.(?:new|generate)|X509\w{1,40}|x509\.\w{1,40}|jwt\.(?:sign|verify|encode|decode)|aes\.NewCipher|cipher\.New\w{1,20}|(?:md5|sha1|sha256|sha512)\.(?:New|Sum\w{0,5})|password_(?:hash|verify)|crypto\/(?:aes|cipher|des|ecdsa|ed25519|elliptic|hmac|md5|rand|rc4|rsa|sha1|sha256|sha512|tls|x509))\b/,
  },
  {
    id: "raw-sql",
    parts: [
      "SELECT",
      "INSERT",
      "UPDATE",
      "DELETE",
      "MERGE",
      "DROP",
      "ALTER",
      "TRUNCATE",
      "CREATE",
      "select",
      "insert",
      "delete",
      "update",
      "drop",
      "alter",
      "truncate",
      "RawUnsafe",
      ".raw(",
      ".execute",
    ],
    pattern:
      /(?:^\s{0,80}|["'`(]\s{0,20})(?:SELECT\s[^;]{1,300}\sFROM\s|INSERT\s+INTO\s|UPDATE\s+[\w."`[\]]{1,100}\s+SET\s|DELETE\s+FROM\s|MERGE\s+INTO\s|(?:DROP|ALTER|TRUNCATE|CREATE)\s+(?:TABLE|DATABASE|INDEX|VIEW)\s)|["'`]\s{0,20}(?:select\s{1,4}(?:\*|[\w.]{1,64}(?:,\s{0,4}[\w.]{1,64}){0,40})\s{1,4}from\s|insert\s{1,4}into\s|delete\s{1,4}from\s|update\s{1,4}\w{1,64}\s{1,4}set\s|(?:drop|alter|truncate)\s{1,4}table\s)|\$(?:query|execute)RawUnsafe\b|\b(?:knex|sequelize|db|DB|conn|connection)\.raw\(|\b(?:cursor|cur)\.execute(?:many)?\(/,
  },
  {
    id: "code-execution",
    parts: [
      "eval",
      "exec",
      "spawn",
      "popen",
      "system",
      "passthru",
      "proc_open",
      "child_process",
      "subprocess.",
      ".exec",
      "Process",
      "Command::new",
      "new Function",
      "vm.",
      "Open3",
      "Invoke-Expression",
    ],
    pattern:
      /(?<![\w.$:>])(?<!\b(?:function|def|func|fn)\s)(?:eval|exec|execSync|execFile|execFileSync|spawnSync|spawn|popen|system|shell_exec|passthru|proc_open|pcntl_exec|execa|execaCommand)\s{0,2}\(|\bchild_process\b|\bsubprocess\.(?:run|Popen|call|check_call|check_output|getoutput)\b|\bos\.(?:system|popen|exec[lv]p?e?|spawn\w{1,4})\(|\bgetRuntime\(\)\.exec\(|\bexec\.Command(?:Context)?\(|\bProcess\.(?:Start|spawn)\(|\bProcessBuilder\(|\bCommand::new\(|\bstd::system\(|\bnew Function\(|\bvm\.(?:run\w{0,20}|Script)\(|\bOpen3\.\w|\bInvoke-Expression\b|^\s{0,80}eval\s/,
  },
  {
    id: "deserialisation",
    parts: [
      "ickle",
      "dill.",
      "arshal.",
      "joblib.",
      "yaml.",
      "YAML.",
      "unserialize",
      "ObjectInputStream",
      ".readObject(",
      "BinaryFormatter",
      "TypeNameHandling",
      "XMLDecoder",
      "node-serialize",
      "torch.load(",
      "shelve.",
      "NSKeyedUnarchiver",
    ],
    pattern:
      /\b(?:c?[Pp]ickle|dill|marshal|Marshal|jsonpickle|joblib|cloudpickle)\.(?:loads?|decode)\b|\byaml\.(?:load|unsafe_load|full_load|load_all)\(|\bYAML\.(?:load|unsafe_load)\b|(?<![\w.])unserialize\(|\bObjectInputStream\b|\.readObject\(|\bBinaryFormatter\b|\bTypeNameHandling\b|\bXMLDecoder\b|\bnode-serialize\b|\btorch\.load\(|\bshelve\.open\(|\bNSKeyedUnarchiver\b/,
  },
  {
    id: "permissions",
    parts: [
      "chmod",
      "chown",
      "setuid",
      "setgid",
      "seteuid",
      "setcap",
      "umask",
      "icacls",
      "setfacl",
      "777",
      "GRANT",
      "permission",
      "PreAuthorize",
      "RolesAllowed",
      "Allow",
      "skip_before_action",
      "AdministratorAccess",
      "allowPrivilegeEscalation",
      "cap_add",
      "privileged",
      "sudo",
    ],
    pattern:
      /\b(?:f?chmod(?:Sync)?|l?chown(?:Sync)?|setuid|setgid|seteuid|setcap|umask|icacls|setfacl)\b|\b0o?777\b|\bGRANT\s{1,4}\w{1,40}[^;]{0,200}\sTO\s|\b(?:permission_classes|PreAuthorize|RolesAllowed|AllowAnonymous|AllowAny|skip_before_action|AdministratorAccess|allowPrivilegeEscalation|cap_add)\b|\bprivileged:\s{0,4}true\b|--privileged\b|^\s{0,80}permissions:(?:\s|$)|^\s{0,80}sudo\s/,
  },
];

/** Comments don't run. Preprocessor lines and attributes match too, which does no harm. */
const COMMENT = /^\s{0,200}(?:\/\/|#|\*|\/\*|<!--|--\s)/;

/** A longer line is data; a relevant call is near the start. */
const MAX_SCANNED_CHARS = 1_000;

/** True for lines that contain only a comment. */
export function isComment(text: string): boolean {
  return COMMENT.test(text);
}

/** The signals that the lines of this text may raise. Most files have none, and then no line is read. */
export function contentSignalsIn(text: string, language: string): readonly ContentSignal[] {
  return CONTENT_SIGNALS.filter(
    ({ id, parts }) =>
      // A SQL file is raw SQL by nature.
      (id !== "raw-sql" || language !== "sql") && parts.some((part) => text.includes(part)),
  );
}

/** Adds those of the signals that the line raises to `found`. Signals that are already there aren't tested again. */
export function readContentSignals(
  text: string,
  signals: readonly ContentSignal[],
  found: Set<ContentSignalId>,
): void {
  const line = text.length > MAX_SCANNED_CHARS ? text.slice(0, MAX_SCANNED_CHARS) : text;
  for (const { id, parts, pattern } of signals)
    if (!found.has(id) && parts.some((part) => line.includes(part)) && pattern.test(line)) found.add(id);
}
