/** Metrics for Prometheus. Label values come from short lists, so the number of series stays small. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Queue } from "../queue/queue.ts";
import type { JobReport } from "../jobs/recipe.ts";

export type Metrics = {
  delivered(status: number, seconds: number): void;
  rejected(reason: string): void;
  worked(report: JobReport): void;
  /** The forge's rate limit was hit. */
  limited(): void;
  /** In Prometheus' text format. */
  render(): Promise<{ readonly contentType: string; readonly text: string }>;
};

/** `limitsMetric` names the counter of `limited`, and so the forge. */
export function createMetrics(
  queue: Pick<Queue, "stats">,
  limitsMetric: { readonly name: string; readonly help: string },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "kodiai_" });
  const acknowledgements = new Histogram({
    name: "kodiai_webhook_seconds",
    help: "Time from receiving a webhook to its response, by status",
    labelNames: ["status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const rejections = new Counter({
    name: "kodiai_webhooks_rejected_total",
    help: "Rejected webhooks, by reason",
    labelNames: ["reason"],
    registers,
  });
  const jobs = new Histogram({
    name: "kodiai_job_seconds",
    help: "Time a worker spent on a job, by kind and final state",
    labelNames: ["kind", "state"],
    buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_200],
    registers,
  });
  const limits = new Counter({
    ...limitsMetric,
    registers,
  });
  const waiting = new Gauge({ name: "kodiai_jobs", help: "Jobs by state", labelNames: ["state"], registers });
  const oldest = new Gauge({
    name: "kodiai_oldest_ready_job_seconds",
    help: "Age of the oldest job that could run now",
    registers,
  });
  const tokens = new Counter({
    name: "kodiai_model_tokens_total",
    help: "Tokens of models, by model and kind; cached input is part of input",
    labelNames: ["model", "kind"],
    registers,
  });
  const cost = new Counter({
    name: "kodiai_model_cost_usd_total",
    help: "Cost of models in US dollars, by model; models without a known price count nothing",
    labelNames: ["model"],
    registers,
  });
  return {
    delivered: (status, seconds) => acknowledgements.observe({ status }, seconds),
    rejected: (reason) => rejections.inc({ reason }),
    worked({ job, state, ms, modelUses }) {
      jobs.observe({ kind: job.kind, state }, ms / 1_000);
      for (const { model, inputTokens, cachedInputTokens, outputTokens, costMicroUsd } of modelUses) {
        tokens.inc({ model, kind: "input" }, inputTokens);
        tokens.inc({ model, kind: "cached-input" }, cachedInputTokens);
        tokens.inc({ model, kind: "output" }, outputTokens);
        cost.inc({ model }, (costMicroUsd ?? 0) / 1_000_000);
      }
    },
    limited: () => limits.inc(),
    async render() {
      const stats = await queue.stats();
      waiting.set({ state: "queued" }, stats.queued);
      waiting.set({ state: "running" }, stats.running);
      oldest.set((stats.oldestReadyMs ?? 0) / 1_000);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
