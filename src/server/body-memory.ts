/**
 * Shares a fixed amount of memory among all request bodies. When it's used up, the body that has been arriving longest is
 * evicted: GitHub sends a body within a second, so a much slower body is hardly GitHub's. The sender's address doesn't
 * help, because behind a reverse proxy all requests come from the same one.
 */

export type BodyReservation = {
  /** Reserves memory for the next chunk. False if there is none, even after older bodies are evicted. */
  reserve(bytes: number): boolean;
  /** The listener is called once if a newer body needs this one's memory. The reservation is then empty. */
  onEvicted(listener: () => void): void;
  /** The body is complete and can't be evicted any more. */
  complete(): void;
  /** Frees the memory. Can be called more than once. */
  release(): void;
};

export type BodyMemory = { open(): BodyReservation };

type ArrivingBody = { evict: () => void };

export function createBodyMemory(maxBytes: number): BodyMemory {
  let reservedBytes = 0;
  /** Oldest first. */
  const arriving = new Set<ArrivingBody>();

  function makeRoom(bytes: number, newcomer: ArrivingBody): boolean {
    for (const oldest of arriving) {
      if (reservedBytes + bytes <= maxBytes || oldest === newcomer) break;
      oldest.evict();
    }
    return reservedBytes + bytes <= maxBytes;
  }

  return {
    open() {
      let ownBytes = 0;
      let notify = (): void => {};
      const release = (): void => {
        arriving.delete(self);
        reservedBytes -= ownBytes;
        ownBytes = 0;
      };
      const self: ArrivingBody = {
        evict() {
          release();
          notify();
        },
      };
      arriving.add(self);
      return {
        reserve(bytes) {
          if (!makeRoom(bytes, self)) return false;
          reservedBytes += bytes;
          ownBytes += bytes;
          return true;
        },
        onEvicted(listener) {
          notify = listener;
        },
        complete: () => void arriving.delete(self),
        release,
      };
    },
  };
}
