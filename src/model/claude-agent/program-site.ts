/**
 * Where the program of one run lives: its process and its folders. A run that is about to follow can have its program started early,
 * because loading it takes half a second of CPU time. Until the run begins, it gets no input, and it has nothing but what every run gives it.
 */
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import type { SpawnedProcess } from "@anthropic-ai/claude-agent-sdk";
import type { StartLimits, Warmed } from "../model.ts";
import { createAgentProcess, type AgentProcess } from "./agent-process.ts";
import { createScratchFolders, type ScratchFolders } from "./scratch-folders.ts";

export type ProgramSite = {
  readonly program: AgentProcess;
  readonly workplace: Promise<ScratchFolders>;
  /** Settled when nothing is being started early any more. */
  readonly early: Promise<void>;
  /** Kills the program and removes the folders. */
  close(): Promise<void>;
};

/** Gives the library's command to the program. Rejects if there is none. */
export type StartEarly = (program: AgentProcess, workplace: ScratchFolders) => Promise<void>;

export type ProgramSites = {
  /** Starts a program for a run with these limits. */
  readonly warm: (limits: StartLimits) => Warmed;
  /** A site that was warmed for these limits, or a new one. */
  readonly take: (limits: StartLimits) => ProgramSite;
};

function openSite(start: StartEarly | null): ProgramSite {
  const program = createAgentProcess();
  const workplace = createScratchFolders();
  const early = workplace.then((folders) => start?.(program, folders));
  return {
    program,
    workplace,
    // A failed start isn't reported here: the run starts the program itself, and fails in the same way.
    early: early.catch(() => {}),
    async close() {
      program.kill();
      // A folder that can't be removed must not fail the review.
      await workplace.then(({ remove }) => remove()).catch(() => {});
    },
  };
}

export function createProgramSites(startWith: (limits: StartLimits) => StartEarly): ProgramSites {
  const spares = new Map<ProgramSite, StartLimits>();
  return {
    warm(limits) {
      const site = openSite(startWith(limits));
      spares.set(site, limits);
      return {
        async close() {
          if (spares.delete(site)) await site.close();
        },
      };
    },
    take({ maxTurns, maxOutputTokens }) {
      for (const [site, limits] of spares) {
        if (limits.maxTurns !== maxTurns || limits.maxOutputTokens !== maxOutputTokens) continue;
        spares.delete(site);
        return site;
      }
      return openSite(null);
    },
  };
}

/** The library gets it instead of the program where it is only asked for its command. It has exited before it reads anything. */
export function createExitedProcess(): SpawnedProcess {
  const stdout = new PassThrough();
  stdout.end();
  const events = new EventEmitter();
  setImmediate(() => events.emit("exit", 0, null));
  return Object.assign(events, {
    stdin: new PassThrough().resume(),
    stdout,
    killed: false,
    exitCode: 0,
    kill: () => true,
  });
}
