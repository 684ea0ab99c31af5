/** Tokens that are recognised by their format, each in a typical place. */
import { checksumOf } from "../../../src/base/secrets/token-checksum.ts";
import { BASE32, base64, hex, made, plant, type Planted, uuid } from "./planted.ts";

function github(prefix: string): string {
  const random = made(prefix, 30);
  return `${prefix}_${random}${checksumOf(random)}`;
}

const part = (name: string): string =>
  base64(JSON.stringify({ sub: name, jti: hex(name, 12) })).replaceAll("=", "");
const HEADER = base64('{"alg":"HS256","typ":"JWT"}').replaceAll("=", "");

/** Split, so that scanners don't see a live key. */
const LIVE = "live";

const PAIR_ID = `AKIA${made("pair id", 16, BASE32)}`;

export const TOKENS: readonly Planted[] = [
  plant("aws access key id, alone", `AKIA${made("aws", 16, BASE32)}`, (s) => `const id = "${s}";\n`),
  plant("aws temporary key id", `ASIA${made("aws sts", 16, BASE32)}`, (s) => `  AccessKeyId: ${s}\n`),
  plant("aws secret access key", made("aws secret", 40), (s) => `[default]\naws_secret_access_key = ${s}\n`),
  {
    format: "aws key pair in code",
    text: `s3 = S3("${PAIR_ID}", "${made("aws pair", 40)}")\n`,
    secrets: [PAIR_ID, made("aws pair", 40)],
  },
  plant(
    "aws session token",
    `IQoJb3JpZ2luX2Vj${made("aws session", 220)}==`,
    (s) => `export AWS_SESSION_TOKEN=${s}\n`,
  ),
  plant(
    "github classic token",
    github("ghp"),
    (s) => `git clone https://github.com/acme/shop --token ${s}\n`,
  ),
  plant("github token without its checksum", `ghp_${made("ghp old", 36)}`, (s) => `TOKEN: "${s}"\n`),
  plant("github oauth token", github("gho"), (s) => `{"oauth": "${s}"}\n`),
  plant("github app token", github("ghs"), (s) => `https://x-access-token:${s}@github.com/acme/shop\n`),
  plant(
    "github fine-grained token",
    `github_pat_${made("pat 1", 22)}_${made("pat 2", 59)}`,
    (s) => `GH=${s}\n`,
  ),
  plant("gitlab personal token", `glpat-${made("glpat", 20)}`, (s) => `curl -H "PRIVATE-TOKEN: ${s}" $URL\n`),
  plant("gitlab trigger token", `glptt-${hex("glptt", 40)}`, (s) => `trigger: ${s}\n`),
  plant(
    "npm token",
    `npm_${made("npm", 30)}${checksumOf(made("npm", 30))}`,
    (s) => `# npm login gave ${s}\n`,
  ),
  plant(
    "pypi token",
    `pypi-AgEIcHlwaS5vcmc${made("pypi", 120)}`,
    (s) => `[pypi]\nusername = __token__\npassword = ${s}\n`,
  ),
  plant(
    "slack bot token",
    `xoxb-204918273645-918273645102-${made("xoxb", 24)}`,
    (s) => `slack = WebClient("${s}")\n`,
  ),
  plant(
    "slack app token",
    `xapp-1-A0${made("xapp id", 9, BASE32)}-204918273645-${hex("xapp", 64)}`,
    (s) => `socket: '${s}'\n`,
  ),
  plant(
    "slack webhook",
    made("slack hook", 24),
    (s) => `url: https://hooks.slack.com/services/T02KD81QZ/B09LM37XW/${s}\n`,
  ),
  plant("stripe live key", `sk_${LIVE}_${made("stripe", 24)}`, (s) => `Stripe.api_key = "${s}"\n`),
  plant(
    "stripe restricted key",
    `rk_${LIVE}_${made("stripe rk", 99)}`,
    (s) => `stripe(${JSON.stringify(s)})\n`,
  ),
  plant("stripe webhook secret", `whsec_${made("whsec", 32)}`, (s) => `const endpoint = '${s}';\n`),
  plant("twilio api key", `SK${hex("twilio", 32)}`, (s) => `client = Client("${s}", secret)\n`),
  plant("twilio auth token", hex("twilio auth", 32), (s) => `TWILIO_AUTH_TOKEN=${s}\n`),
  plant("sendgrid key", `SG.${made("sg 1", 22)}.${made("sg 2", 43)}`, (s) => `sgMail.setApiKey('${s}');\n`),
  plant(
    "mailgun key",
    `key-${hex("mailgun", 32)}`,
    (s) => `curl -s --user 'api:${s}' https://api.mailgun.net/v3\n`,
  ),
  plant("groq key", `gsk_${made("groq", 52)}`, (s) => `client = Groq(api_key="${s}")\n`),
  plant("openrouter key", `sk-or-v1-${hex("openrouter", 64)}`, (s) => `OPENROUTER=${s}\n`),
  plant(
    "openai key",
    `sk-${made("oai 1", 20)}T3BlbkFJ${made("oai 2", 20)}`,
    (s) => `openai.api_key = "${s}"\n`,
  ),
  plant(
    "openai project key",
    `sk-proj-${made("proj 1", 74)}T3BlbkFJ${made("proj 2", 74)}`,
    (s) => `  apiKey: '${s}',\n`,
  ),
  plant("openai key of a later form", `sk-proj-${made("proj later", 60)}`, (s) => `new OpenAI("${s}")\n`),
  plant("anthropic key", `sk-ant-api03-${made("anthropic", 93)}AA`, (s) => `x-api-key: ${s}\n`),
  plant(
    "hugging face token",
    `hf_${made("hf", 34, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")}`,
    (s) => `login("${s}")\n`,
  ),
  plant(
    "atlassian token",
    `ATATT3xFfGF0${made("atlassian", 171)}=${hex("at crc", 8).toUpperCase()}`,
    (s) => `JIRA = '${s}'\n`,
  ),
  plant("digitalocean token", `dop_v1_${hex("do", 64)}`, (s) => `doctl auth init -t ${s}\n`),
  plant("heroku key", uuid("heroku"), (s) => `HEROKU_API_KEY=${s}\n`),
  plant("datadog api key", hex("dd", 32), (s) => `DD_API_KEY: ${s}\n`),
  plant("datadog application key", hex("dd app", 40), (s) => `initialize(app_key='${s}')\n`),
  plant(
    "sentry dsn",
    hex("sentry", 32),
    (s) => `Sentry.init({ dsn: "https://${s}@o491827.ingest.sentry.io/5918273" });\n`,
  ),
  plant("sentry auth token", `sntrys_${made("sntrys", 80)}`, (s) => `auth.token=${s}\n`),
  plant("telegram bot token", `491827365:AA${made("telegram", 33)}`, (s) => `bot = Bot("${s}")\n`),
  plant(
    "discord bot token",
    `MTA0OTE4MjczNjQ1OTE4Mjcz.${made("discord 1", 6)}.${made("discord 2", 38)}`,
    (s) => `client.login("${s}")\n`,
  ),
  plant(
    "discord webhook",
    made("discord hook", 68),
    (s) => `https://discord.com/api/webhooks/104918273645918273/${s}\n`,
  ),
  plant("google api key", `AIza${made("aiza", 35)}`, (s) => `https://maps.example.org/js?key=${s}&v=3\n`),
  plant("google oauth client secret", `GOCSPX-${made("gocspx", 28)}`, (s) => `"client_secret":"${s}"\n`),
  plant(
    "firebase server key",
    `AAAA${made("fcm 1", 7)}:APA91b${made("fcm 2", 134)}`,
    (s) => `fcm = "${s}"\n`,
  ),
  plant(
    "facebook access token",
    `EAACEdEose0cBA${made("facebook", 120)}`,
    (s) => `graph = GraphAPI("${s}")\n`,
  ),
  plant("shopify token", `shpat_${hex("shopify", 32)}`, (s) => `X-Shopify-Access-Token: ${s}\n`),
  plant("square token", `sq0atp-${made("square", 22)}`, (s) => `square: ${s}\n`),
  plant("square production token", `EAAA${made("square 2", 60)}`, (s) => `access_token: '${s}'\n`),
  plant("linear key", `lin_api_${made("linear", 40)}`, (s) => `new LinearClient({ apiKey: "${s}" })\n`),
  plant("notion token", `ntn_${made("notion", 46)}`, (s) => `notion = Client(auth="${s}")\n`),
  plant("notion token of the old form", `secret_${made("notion old", 43)}`, (s) => `NOTION="${s}"\n`),
  plant("vault token", `hvs.${made("vault", 95)}`, (s) => `vault login ${s}\n`),
  plant("databricks token", `dapi${hex("databricks", 32)}`, (s) => `token = ${s}\n`),
  plant(
    "age key",
    `AGE-SECRET-KEY-1${made("age", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")}`,
    (s) => `# created\n${s}\n`,
  ),
  plant("grafana token", `glsa_${made("glsa", 32)}_${hex("glsa", 8)}`, (s) => `grafana: ${s}\n`),
  plant("docker token", `dckr_pat_${made("dckr", 27)}`, (s) => `docker login -u acme -p ${s}\n`),
  plant(
    "json web token",
    `${HEADER}.${part("ada")}.${made("jwt", 43)}`,
    (s) => `localStorage.jwt = "${s}";\n`,
  ),
  plant(
    "json web token in a log",
    `${HEADER}.${part("bob")}.${made("jwt 2", 43)}`,
    (s) => `INFO session=${s} ok\n`,
  ),
];
