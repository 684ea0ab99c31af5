/** Every command but `review`, loaded together. */
import { advisoriesDownload } from "./advisories-download.ts";
import { ask } from "./ask.ts";
import { backup } from "./backup.ts";
import { configCheck } from "./config-check.ts";
import { configExplain } from "./config-explain.ts";
import { dashboard } from "./dashboard.ts";
import { deepReview } from "./deep-review.ts";
import { deps } from "./deps.ts";
import { doctor } from "./doctor.ts";
import { evalFetch } from "./eval/eval-fetch.ts";
import { evalMine } from "./eval/eval-mine.ts";
import { evalCompare } from "./eval/eval-compare.ts";
import { evalRun } from "./eval/eval-run.ts";
import { evalScore } from "./eval/eval-score.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { jobsRetry } from "./jobs-retry.ts";
import { jobsShow } from "./jobs-show.ts";
import { mcp } from "./mcp.ts";
import { memoryAdd } from "./memory/memory-add.ts";
import { memoryEdit } from "./memory/memory-edit.ts";
import { memoryExport } from "./memory/memory-export.ts";
import { memoryForget } from "./memory/memory-forget.ts";
import { memoryImport } from "./memory/memory-import.ts";
import { memoryList } from "./memory/memory-list.ts";
import { memoryPropose } from "./memory/memory-propose.ts";
import { memoryReplay } from "./memory/memory-replay.ts";
import { memoryShow } from "./memory/memory-show.ts";
import { migrate } from "./migrate.ts";
import { replay } from "./replay.ts";
import { report } from "./report.ts";
import { rules } from "./rules.ts";
import { serve } from "./serve.ts";
import { setup } from "./setup/setup.ts";
import { show } from "./show.ts";
import { worker } from "./worker.ts";

export const OTHER_COMMANDS = {
  advisoriesDownload,
  ask,
  backup,
  serve,
  setup,
  show,
  worker,
  jobsShow,
  jobsRetry,
  jobs,
  dashboard,
  deps,
  deepReview,
  doctor,
  evalFetch,
  evalMine,
  evalCompare,
  evalRun,
  evalScore,
  report,
  mcp,
  migrate,
  memoryAdd,
  memoryEdit,
  memoryExport,
  memoryForget,
  memoryImport,
  memoryList,
  memoryPropose,
  memoryReplay,
  memoryShow,
  replay,
  init,
  configCheck,
  configExplain,
  rules,
};
