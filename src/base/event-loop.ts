/** Lets what has happened meanwhile be taken: answers of other processes, freed memory. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
