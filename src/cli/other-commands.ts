/** Every command but `review`, loaded together. */
import { configCheck } from "./config-check.ts";
import { configExplain } from "./config-explain.ts";
import { deepReview } from "./deep-review.ts";
import { deps } from "./deps.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { jobsRetry } from "./jobs-retry.ts";
import { jobsShow } from "./jobs-show.ts";
import { mcp } from "./mcp.ts";
import { migrate } from "./migrate.ts";
import { pack } from "./pack.ts";
import { replay } from "./replay.ts";
import { rules } from "./rules.ts";
import { serve } from "./serve.ts";
import { worker } from "./worker.ts";

export const OTHER_COMMANDS = {
  serve,
  worker,
  jobsShow,
  jobsRetry,
  jobs,
  deps,
  deepReview,
  mcp,
  pack,
  migrate,
  replay,
  init,
  configCheck,
  configExplain,
  rules,
};
