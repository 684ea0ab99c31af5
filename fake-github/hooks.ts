/** Callbacks of tests that run when a request arrives or after it was handled. */
import type { LoggedCall } from "./call-log.ts";
import type { Moment } from "./server-parts.ts";

export type Callback = (call: LoggedCall) => void | Promise<void>;

type Hook = { readonly moment: Moment; readonly operation: string; readonly callback: Callback };

export type Hooks = {
  /** The returned function removes the hook. */
  readonly add: (hook: Hook) => () => void;
  readonly reach: (moment: Moment, call: LoggedCall) => Promise<void>;
};

export function createHooks(): Hooks {
  const hooks: Hook[] = [];
  return {
    add(hook: Hook): () => void {
      hooks.push(hook);
      return () => {
        const index = hooks.indexOf(hook);
        if (index !== -1) hooks.splice(index, 1);
      };
    },
    async reach(moment: Moment, call: LoggedCall): Promise<void> {
      const meant = hooks.filter((hook) => hook.moment === moment && hook.operation === call.operation);
      for (const hook of meant) await hook.callback(call);
    },
  };
}
