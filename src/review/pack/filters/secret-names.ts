/** Names of files that hold secrets or settings of a machine. They are never packed, whatever they contain. */
import { fileNameOf } from "../../../base/file-name.ts";

/** `.env`, `.env.production`, `prod.env` and `.envrc`, but not the examples that document them. */
const ENV = /^\.env(?:\.[\w.-]+)?$|^\.envrc$|^[\w.-]+\.env$/i;
const ENV_EXAMPLE = /[.-](?:example|sample|template|dist|defaults?)$/i;

/** Formats of data. Code about secrets has a name with "secret" too. */
const DATA = "json|json5|ya?ml|toml|ini|cfg|conf|config|properties|xml|txt|csv|enc|env|tfvars|plist";

/** A list of passwords is a dictionary more often than anyone's own, and its secrets are masked like those of any text. */
const STRUCTURED = DATA.replace("|txt|csv", "");

/** Templates and examples are for people to fill in. Charts of Helm keep theirs in `templates`. */
const TEMPLATE = /[._-](?:example|sample|template|tpl|tmpl|dist|defaults?|schema)(?:[._-]|$)/i;
const TEMPLATE_FOLDER = /(?:^|\/)templates\/(?:.*\/)?[^/]+\.(?:ya?ml|json|tpl)$/i;

const SECRET_NAMES: readonly RegExp[] = [
  // Keys and key stores. A public key has the extension pub.
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/i,
  /\.(?:pem|key|p8|p12|pfx|jks|keystore|bks|ppk|kdbx?|ovpn|tfstate|agekey)$/i,
  /\.tfstate\.backup$/i,
  // Credentials of tools.
  /^(?:\.npmrc|\.yarnrc|\.pypirc|\.netrc|_netrc|\.htpasswd|\.htdigest|\.pgpass|\.my\.cnf|\.dockercfg|\.git-credentials|\.s3cfg|\.boto|\.vault[-_]pass(?:word)?(?:\.txt)?|\.terraformrc|kubeconfig)$/i,
];

/** Credentials by name, unless the name also says that it's a template. */
const CREDENTIAL_NAMES: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:[\w.-]{1,80}[._-])?(?:(?:secrets?|credentials?|api[-_]?keys?)(?:[._-][\w-]{1,80})?\.(?:${DATA})|passwords?(?:[._-][\w-]{1,80})?\.(?:${STRUCTURED}))$`,
    "i",
  ),
  /^\.?(?:secrets?|credentials?|passwords?)$/i,
  /^(?:[\w.-]+[._-])?(?:service[-_]?account|client[-_]?secret)[\w.-]*\.json$/i,
];

/** Files in these folders are secret: keys of SSH and GPG, credentials of cloud tools. */
const SECRET_FOLDER = /(?:^|\/)\.(?:ssh|gnupg|aws|azure|gcloud|kube)\//i;
const DOCKER_CONFIG = /(?:^|\/)\.docker\/config\.json$/i;
/** `secrets` is also the name of a module, so only data in it counts. */
const SECRETS_DATA = new RegExp(
  String.raw`(?:^|/)\.?(?:secrets|credentials)/(?:.*/)?(?:[^/]*\.(?:${DATA})|[^./]+)$`,
  "i",
);

export function isEnvName(path: string): boolean {
  const name = fileNameOf(path);
  return ENV.test(name) && !ENV_EXAMPLE.test(name);
}

export function isSecretName(path: string): boolean {
  const name = fileNameOf(path);
  return (
    SECRET_NAMES.some((pattern) => pattern.test(name)) ||
    SECRET_FOLDER.test(path) ||
    DOCKER_CONFIG.test(path) ||
    (!TEMPLATE.test(name) &&
      !TEMPLATE_FOLDER.test(path) &&
      (CREDENTIAL_NAMES.some((pattern) => pattern.test(name)) || SECRETS_DATA.test(path)))
  );
}
