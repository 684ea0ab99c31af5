/** The variables of a function while the engine reads it. An inner function sees the variables of the outer ones. */
import { type Value, worstHole } from "./value.ts";

export type FlowScope = {
  readonly outer: FlowScope | null;
  /** The value of a variable, or null. */
  find(name: string): Value | null;
  /** The number of the function that has the variable, or of this one. */
  idOf(name: string): number;
  declare(name: string, value: Value): void;
  /** Sets a variable where it was declared. In a branch, the less trusted of both values remains. */
  assign(name: string, value: Value, isInBranch: boolean): void;
  /** Evaluates with a variable that exists only there. */
  within(name: string, value: Value, run: () => Value): Value;
};

export function createScope(id: number, outer: FlowScope | null): FlowScope {
  const names = new Map<string, Value>();
  const scope: FlowScope = {
    outer,
    find: (name) => names.get(name) ?? outer?.find(name) ?? null,
    idOf: (name) => (names.has(name) || outer === null || outer.find(name) === null ? id : outer.idOf(name)),
    declare(name, value) {
      names.set(name, value);
    },
    assign(name, value, isInBranch) {
      if (!names.has(name) && outer !== null && outer.find(name) !== null) {
        outer.assign(name, value, true);
        return;
      }
      const before = names.get(name);
      const isKept =
        isInBranch && before !== undefined && (worstHole(before)?.rank ?? 0) > (worstHole(value)?.rank ?? 0);
      if (!isKept) names.set(name, value);
    },
    within(name, value, run) {
      const before = names.get(name);
      names.set(name, value);
      const result = run();
      if (before === undefined) names.delete(name);
      else names.set(name, before);
      return result;
    },
  };
  return scope;
}
