/** Readable names for the kinds of credentials that the detectors report. */

const LABELS: Readonly<Record<string, string>> = {
  "named-secret": "random value assigned to a secret's name",
  "basic-auth-url": "password in a URL",
  "signed-jwt": "signed JSON Web Token",
};

/** Words of a kind that aren't written in lower case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  anthropic: "Anthropic",
  api: "API",
  atlassian: "Atlassian",
  aws: "AWS",
  azure: "Azure",
  databricks: "Databricks",
  digitalocean: "DigitalOcean",
  discord: "Discord",
  docker: "Docker",
  face: "Face",
  firebase: "Firebase",
  github: "GitHub",
  gitlab: "GitLab",
  google: "Google",
  grafana: "Grafana",
  groq: "Groq",
  hugging: "Hugging",
  id: "ID",
  kubernetes: "Kubernetes",
  linear: "Linear",
  notion: "Notion",
  oauth: "OAuth",
  openai: "OpenAI",
  openrouter: "OpenRouter",
  pypi: "PyPI",
  sendgrid: "SendGrid",
  shopify: "Shopify",
  slack: "Slack",
  stripe: "Stripe",
  telegram: "Telegram",
  url: "URL",
  vault: "Vault",
};

/** "github-token" becomes "GitHub token". */
export function secretLabel(kind: string): string {
  const words = kind.split("-").map((word) => SPELLINGS[word] ?? word);
  return LABELS[kind] ?? words.join(" ");
}
