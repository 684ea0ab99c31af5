/** Actions, which are repositories on GitHub. */
import type { Ecosystem } from "../ecosystem.ts";
import { TAG_ORDER } from "../versions/tag-order.ts";
import { workflow } from "./workflow.ts";

export const GITHUB_ACTIONS: Ecosystem = {
  formats: [workflow],
  order: TAG_ORDER,
  normalizeName: (name) => name.toLowerCase(),
  advisoryNames: { osv: "GitHub Actions", github: "actions" },
  isByReference: true,
  popularNames: `actions/checkout actions/setup-node actions/setup-python actions/setup-go actions/setup-java actions/setup-dotnet
    actions/cache actions/upload-artifact actions/download-artifact actions/github-script actions/labeler actions/stale
    docker/login-action docker/build-push-action docker/setup-buildx-action docker/setup-qemu-action docker/metadata-action
    github/codeql-action codecov/codecov-action softprops/action-gh-release pnpm/action-setup ruby/setup-ruby
    aws-actions/configure-aws-credentials google-github-actions/auth hashicorp/setup-terraform peter-evans/create-pull-request
    golangci/golangci-lint-action dtolnay/rust-toolchain astral-sh/setup-uv reviewdog/action-setup tj-actions/changed-files`,
};
