/** A limit on the work of several steps together. It counts their CPU time: a busy machine must not take away what they would find. */

export type WorkBudget = {
  /** Milliseconds of CPU time; 0 when the budget is used up, or the clock says that something hangs. */
  readonly leftMs: () => number;
  /** Called after each step with the CPU time that it took. */
  readonly spend: (cpuMs: number) => void;
};

/** A very busy machine gives a process a tenth of a CPU. A process that takes longer on the clock hangs. */
export const CLOCK_MS_PER_CPU_MS = 10;

/** `now`: milliseconds; only differences count. */
export function createWorkBudget(maxCpuMs: number, now: () => number): WorkBudget {
  const endsAt = now() + maxCpuMs * CLOCK_MS_PER_CPU_MS;
  let usedMs = 0;
  return {
    leftMs: () => (now() >= endsAt ? 0 : Math.max(0, Math.ceil(maxCpuMs - usedMs))),
    spend: (cpuMs) => void (usedMs += cpuMs),
  };
}
