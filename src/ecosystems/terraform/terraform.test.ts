import assert from "node:assert/strict";
import { test } from "node:test";
import { readWith } from "../../../test/support/show-packages.ts";
import { summarizeFile } from "../../../test/support/summarize-entries.ts";
import { TERRAFORM } from "./terraform.ts";

const CONFIGURATION = `# module "commented" { source = "a/b/c" }
terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    internal = { source = "registry.example.org/team/internal", version = "= 1.2.3" }
    random = ">= 3.0" // before 0.13
    null = {}
    aliased = {
      configuration_aliases = [aws.a, aws.b]
      source = "ns/aliased"
    }
  }
}

module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.1.0"
  tags = merge(var.tags, { name = "x-\${var.name["a"]}" })
  policy = <<-EOT
    module "inside" { source = "a/b/c" }
  EOT
  map = { for key, value in var.map : key => { a = value } if key != "" }
}
module "role" {
  source = "terraform-aws-modules/iam/aws//modules/role"
}
module "pinned" {
  source = "git::https://token@git.example.org/infra/network.git//modules/a?ref=v1.2.0&depth=1"
}
module "short" { source = "github.com/owner/name?ref=abc" }
module "local" { source = "./modules/x" }
/* module "gone" { source = "a/b/c" } */
`;

const LOCK = `# This file is maintained automatically by "terraform init".
provider "registry.terraform.io/hashicorp/aws" {
  version     = "5.31.0"
  constraints = ">= 4.0.0, ~> 5.0"
  hashes = [
    "h1:aaa=",
    "zh:bbb",
    "zh:ccc",
  ]
}

provider "registry.example.org/team/internal" {
  version = "1.2.3"
  hashes  = ["h1:ddd="]
}
`;

const CASES = [
  [
    "infra/main.tf",
    CONFIGURATION,
    [
      "hashicorp/aws - (~> 5.0) :7",
      "registry.example.org/team/internal 1.2.3 (= 1.2.3) :9 registry.example.org",
      "hashicorp/random - (>= 3.0) :10",
      "hashicorp/null - :11",
      "ns/aliased - :12",
      "terraform-aws-modules/vpc/aws 5.1.0 :21 [vpc]",
      "terraform-aws-modules/iam/aws - :29 [role//modules/role]",
      "https://git.example.org/infra/network v1.2.0 :32 [pinned] git https://git.example.org/infra/network",
      "github.com/owner/name abc :34 [short] git github.com/owner/name",
    ],
  ],
  [
    ".terraform.lock.hcl",
    LOCK,
    [
      "hashicorp/aws 5.31.0 registry.terraform.io #zh:bbb zh:ccc",
      "registry.example.org/team/internal 1.2.3 registry.example.org #h1:ddd=",
    ],
  ],
  ["empty.tf", "", []],
  [".terraform.lock.hcl", 'provider "registry.terraform.io/a/b" {\n  version = "1.0"\n', "malformed"],
  [".terraform.lock.hcl", 'provider "registry.terraform.io/a/b" {}\n', "malformed"],
  ["main.tf", 'variable "a" {\n  default = "open\n}\n', "malformed"],
  ["main.tf", "a = 1\n}\n", "malformed"],
] as const;

for (const [index, [path, text, expected]] of CASES.entries()) {
  test(`${path} (${String(index)})`, () => {
    assert.deepEqual(summarizeFile(readWith(TERRAFORM.formats, path, text)), expected);
  });
}
