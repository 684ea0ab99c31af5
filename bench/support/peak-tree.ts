/** The peak memory of a command and all processes that it starts. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import type { Subject } from "../measure.ts";

const SAMPLE_EVERY_MS = 20;

/** Samples the processes of the system while the command runs. Null where there is no /proc. */
export async function peakTreeMb({ command, args, cwd }: Subject): Promise<number | null> {
  const child = spawn(command, args, { cwd, stdio: "ignore" });
  let peakKb = 0;
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, residentKb(child.pid ?? 0));
  }, SAMPLE_EVERY_MS);
  await new Promise((resolve) => child.on("close", resolve));
  clearInterval(timer);
  return peakKb === 0 ? null : Math.round(peakKb / 1024);
}

function residentKb(root: number): number {
  const processes = new Map(pids().flatMap((pid) => statusOf(pid) ?? []));
  let sum = 0;
  for (const [pid, { kb }] of processes) {
    let at = pid;
    for (let hops = 0; at !== root && at > 1 && hops < 20; hops++) at = processes.get(at)?.parent ?? 0;
    if (at === root) sum += kb;
  }
  return sum;
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function statusOf(pid: number): [[number, { readonly parent: number; readonly kb: number }]] | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const parent = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]);
    return [[pid, { parent, kb: Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) }]];
  } catch {
    return null;
  }
}
