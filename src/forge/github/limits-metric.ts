/** The metric that counts how often GitHub's rate limit was hit. Dashboards use its name. */
export const GITHUB_LIMITS_METRIC = {
  name: "kodiai_github_limits_total",
  help: "Number of times GitHub's rate limit was hit",
};
