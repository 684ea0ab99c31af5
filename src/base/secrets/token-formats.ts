/** Token formats that are recognizable by themselves, as their providers document them. */
import type { Pattern } from "./pattern.ts";
import {
  beginsWithUserNumber,
  entropyBits,
  isPlaceholder,
  isRandom,
  isRandomHexTail,
} from "./secret-values.ts";
import { hasGithubChecksum } from "./token-checksum.ts";

export const TOKEN_FORMATS: readonly Pattern[] = [
  // Key ids are base32 after the prefix; most invented ones aren't.
  {
    kind: "aws-access-key-id",
    hints: ["AKIA", "ASIA"],
    expression: /(?<![A-Za-z0-9+/=])(?:AKIA|ASIA)[A-Z2-7]{16}(?![A-Za-z0-9+/=])/g,
    accepts: (value) => entropyBits(value.slice(4)) >= 2.8 && !isPlaceholder(value),
  },
  {
    kind: "aws-secret-access-key",
    hints: ["aws", "AWS", "Aws"],
    expression:
      /aws.{0,20}?secret.{0,20}?["']?\s{0,3}(?:=>|:=|=|:)\s{0,3}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4.2,
  },
  {
    kind: "github-token",
    hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    expression: /(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
    accepts: hasGithubChecksum,
  },
  {
    kind: "github-fine-grained-token",
    hints: ["github_pat_"],
    expression: /(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "npm-token",
    hints: ["npm_"],
    expression: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
    accepts: hasGithubChecksum,
  },
  {
    kind: "gitlab-token",
    hints: ["glpat-", "gldt-", "glrt-", "glptt-"],
    expression: /(?<![\w-])gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,50}(?![\w-])/g,
    accepts: (value) => isRandom(value) && /\d/.test(value) && /[A-Z]/.test(value),
  },
  {
    kind: "slack-token",
    hints: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-"],
    expression:
      /(?<![\w-])xox[abprs]-(?:\d{1,2}-)?\d{9,14}-\d{9,14}-(?:\d{9,14}-)?[A-Za-z0-9]{20,40}(?![\w-])/g,
    accepts: (value) => isRandom(value),
  },
  {
    kind: "slack-webhook",
    hints: ["hooks.slack.com"],
    expression:
      /hooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/(?<secret>[A-Za-z0-9]{24})(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "stripe-key",
    hints: ["k_live_"],
    expression: /(?<![A-Za-z0-9])[sr]k_live_[A-Za-z0-9]{24,110}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "google-api-key",
    hints: ["AIza"],
    expression: /(?<![\w-])AIza[A-Za-z0-9_-]{35}(?![\w-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4,
  },
  {
    kind: "google-oauth-secret",
    hints: ["GOCSPX-"],
    expression: /(?<![\w-])GOCSPX-[A-Za-z0-9_-]{28}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "pypi-token",
    hints: ["pypi-AgEI"],
    expression: /(?<![\w-])pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,300}/g,
    accepts: isRandom,
  },
  {
    kind: "sendgrid-key",
    hints: ["SG."],
    expression: /(?<![\w.-])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}(?![\w.-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value) >= 4.2,
  },
  // The middle is the base64 of "OpenAI"; all of its keys have it.
  {
    kind: "openai-key",
    hints: ["T3BlbkFJ"],
    expression: /(?<![\w-])sk-[A-Za-z0-9_-]{20,150}?T3BlbkFJ[A-Za-z0-9_-]{20,150}/g,
    accepts: isRandom,
  },
  {
    kind: "anthropic-key",
    hints: ["sk-ant-"],
    expression: /(?<![\w-])sk-ant-(?:api|admin|oat)\d{2}-[A-Za-z0-9_-]{80,120}/g,
    accepts: isRandom,
  },
  // The storage emulator's key is published and the same everywhere.
  {
    kind: "azure-storage-key",
    hints: ["AccountKey="],
    expression: /AccountKey=(?<secret>[A-Za-z0-9+/]{86}==)/g,
    accepts: (value) => !value.startsWith("Eby8vdM02xNO") && isRandom(value),
  },
  {
    kind: "telegram-bot-token",
    hints: [":AA"],
    expression: /(?<![\w:.-])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g,
    accepts: (value) => isRandom(value) && entropyBits(value.slice(-33)) >= 4,
  },
  {
    kind: "discord-bot-token",
    hints: /\.[\w-]{6}\./,
    expression: /(?<![\w.+/-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}(?![\w.-])/g,
    accepts: (value) => isRandom(value) && beginsWithUserNumber(value),
  },
  {
    kind: "digitalocean-token",
    hints: ["_v1_"],
    expression: /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "shopify-token",
    hints: ["shp"],
    expression: /(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "hugging-face-token",
    hints: ["hf_"],
    expression: /(?<![A-Za-z0-9_])hf_[A-Za-z]{34}(?![A-Za-z0-9_])/g,
    accepts: (value) =>
      isRandom(value) && entropyBits(value) >= 4 && /[a-z][A-Z][A-Z]?[a-z]?[A-Z]/.test(value),
  },
  {
    kind: "databricks-token",
    hints: ["dapi"],
    expression: /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])/g,
    accepts: isRandomHexTail,
  },
  {
    kind: "grafana-token",
    hints: ["glsa_", "glc_"],
    expression: /(?<![A-Za-z0-9])glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "docker-token",
    hints: ["dckr_"],
    expression: /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,32}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "linear-key",
    hints: ["lin_api_"],
    expression: /(?<![A-Za-z0-9])lin_api_[A-Za-z0-9]{40}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "vault-token",
    hints: ["hvs."],
    expression: /(?<![\w.-])hvs\.[A-Za-z0-9_-]{90,120}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "slack-app-token",
    hints: ["xapp-"],
    expression: /(?<![\w-])xapp-\d-[A-Z0-9]{9,13}-\d{9,14}-[a-f0-9]{64}(?![\w-])/g,
    accepts: isRandom,
  },
  {
    kind: "groq-key",
    hints: ["gsk_"],
    expression: /(?<![A-Za-z0-9_])gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "openrouter-key",
    hints: ["sk-or-v1-"],
    expression: /(?<![\w-])sk-or-v1-[a-f0-9]{64}(?![A-Za-z0-9])/g,
    accepts: (value) => isRandomHexTail(value.slice("sk-or-v1-".length)),
  },
  {
    kind: "atlassian-token",
    hints: ["ATATT3xFfGF0"],
    expression: /(?<![\w-])ATATT3xFfGF0[A-Za-z0-9_-]{150,200}=[A-F0-9]{8}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  {
    kind: "notion-token",
    hints: ["ntn_"],
    expression: /(?<![A-Za-z0-9_])ntn_[A-Za-z0-9]{46}(?![A-Za-z0-9])/g,
    accepts: isRandom,
  },
  // The name of the format has the word "secret" in it, which a placeholder would have too.
  {
    kind: "age-key",
    hints: ["AGE-SECRET-KEY-1"],
    expression: /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g,
    accepts: (value) => isRandom(value.slice("AGE-SECRET-KEY-1".length)),
  },
];
