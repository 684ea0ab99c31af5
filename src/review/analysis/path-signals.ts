/**
 * Risk signals from a file's path. Words are matched whole, after splitting camelCase and snake_case: "author" isn't
 * "auth", "design" isn't "sign". content-signals.ts reads contents.
 */
import type { FileCategory, FileMark } from "./analysis.ts";
import { spacedWords } from "./words.ts";

export type PathSignalId =
  | "authentication"
  | "credentials"
  | "cryptography"
  | "database"
  | "dependencies"
  | "infrastructure";

const AUTHENTICATION =
  / (?:auth|authn|authz|authentication|authenticate|authenticator|authorization|authorisation|authorize|authorise|login|logout|signin|signup|signout|sign (?:in|up|out|on)|log (?:in|out)|sso|oauth|oidc|saml|ldap|jwt|session|sessions|mfa|totp|otp|passkey|passkeys|webauthn|csrf|xsrf|rbac|acl|permission|permissions) /;

const CREDENTIALS =
  / (?:password|passwords|passwd|passphrase|secret|secrets|credential|credentials|keystore|keychain|htpasswd|api keys?|private keys?|(?:auth|access|refresh|bearer|api|session|csrf|jwt|id|reset|personal access) tokens?) /;
/** "token" alone means a credential, unless the path is about parsing, design or language models. */
const LONE_TOKEN = / tokens? /;
const OTHER_TOKENS =
  / (?:lexer|lex|lexical|parser|parse|parsing|parsers|tokenizer|tokenize|scanner|syntax|ast|grammar|compiler|lang|design|theme|themes|style|styles|css|scss|figma|color|colors|ui|llm|prompt|prompts|budget|usage|counter|count|nft|erc) /;
const CREDENTIAL_FILE =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.netrc|\.pgpass|\.npmrc|\.pypirc|id_[a-z0-9]+)$|\.(?:pem|key|p12|pfx|jks|keystore|kdbx)$/;
/** Samples contain no secrets. */
const SAMPLE = /\.(?:example|sample|template|dist)$/;

const CRYPTOGRAPHY =
  / (?:crypto|cryptography|cipher|ciphers|encrypt|encryption|encrypted|decrypt|decryption|hmac|aes|rsa|ecdsa|tls|ssl|pki|x 509|cert|certs|certificate|certificates|signer|signing|signature|signatures|sign(?! (?:in|up|out|on|off) )) /;

const DATABASE = / (?:migration|migrations|migrate|migrator|alembic|flyway|liquibase|ddl) /;
/** "schema" alone may be a JSON or form schema, so the path must also mention a database. */
const SCHEMA = / schemas? /;
const DATABASE_CONTEXT =
  / (?:db|database|databases|sql|prisma|drizzle|postgres|postgresql|mysql|sqlite|ecto|knex|typeorm|sequelize) /;
const SCHEMA_FILE = /\.(?:sql|ddl|prisma)$|(?:^|\/)(?:schema\.rb|structure\.sql)$/;

const MANIFEST =
  /(?:^|\/)(?:package\.json|[\w.-]{0,60}requirements[\w.-]{0,60}\.txt|requirements\/[\w.-]{1,60}\.txt|constraints\.txt|pyproject\.toml|setup\.(?:py|cfg)|pipfile|environment\.ya?ml|go\.(?:mod|work)|cargo\.toml|gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|directory\.packages\.props|packages\.config|pubspec\.yaml|mix\.exs|package\.swift|podfile|cartfile|conanfile\.(?:txt|py)|vcpkg\.json|deno\.jsonc?|project\.clj|deps\.edn|build\.sbt|rebar\.config|bower\.json)$|\.(?:gemspec|podspec|csproj|fsproj|vbproj|nuspec|cabal)$/;

type PathFacts = { readonly path: string; readonly category: FileCategory; readonly mark: FileMark | null };

/** In a fixed order. Tests and docs about authentication aren't authentication, and third-party code isn't reviewed. */
export function pathSignals({ path, category, mark }: PathFacts): readonly PathSignalId[] {
  if (mark === "lockfile") return ["dependencies"];
  if (mark !== null || category === "test" || category === "docs") return [];
  const lower = path.toLowerCase();
  const words = spacedWords(path);
  const found: PathSignalId[] = [];
  if (AUTHENTICATION.test(words)) found.push("authentication");
  if (isCredential(lower, words)) found.push("credentials");
  if (CRYPTOGRAPHY.test(words)) found.push("cryptography");
  if (isDatabase(lower, words)) found.push("database");
  if (MANIFEST.test(lower)) found.push("dependencies");
  if (category === "infra") found.push("infrastructure");
  return found;
}

function isCredential(lower: string, words: string): boolean {
  if (SAMPLE.test(lower)) return false;
  if (CREDENTIALS.test(words) || CREDENTIAL_FILE.test(lower)) return true;
  return LONE_TOKEN.test(words) && !OTHER_TOKENS.test(words);
}

function isDatabase(lower: string, words: string): boolean {
  if (SCHEMA_FILE.test(lower) || DATABASE.test(words)) return true;
  return SCHEMA.test(words) && DATABASE_CONTEXT.test(words);
}
