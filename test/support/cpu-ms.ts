/**
 * Milliseconds of CPU time that synchronous work takes. Unlike time on the clock, it hardly grows while other processes
 * use the CPU.
 */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
