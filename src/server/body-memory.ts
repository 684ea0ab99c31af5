/**
 * Shares a fixed amount of memory among all request bodies. When it is used up, the body that has been arriving longest
 * gives way: GitHub sends a body within a second, so a body that takes much longer is hardly GitHub's. The sender's address
 * says nothing, since behind a reverse proxy all requests come from the same one.
 */

export type BodyShare = {
  /** Reserves memory for the next piece. False when there is none, even after older bodies have given way. */
  take(bytes: number): boolean;
  /** Calls `giveWay` once if the memory of this body is needed for a newer one. It holds none from then on. */
  onGiveWay(giveWay: () => void): void;
  /** The body is complete and no longer gives way. */
  arrived(): void;
  /** Frees the memory. */
  leave(): void;
};

export type BodyMemory = { enter(): BodyShare };

type Arriving = { giveWay: () => void };

export function createBodyMemory(maxBytes: number): BodyMemory {
  let takenBytes = 0;
  /** In the order in which they began. */
  const arriving = new Set<Arriving>();

  function makeRoom(bytes: number, wanting: Arriving): boolean {
    for (const oldest of arriving) {
      if (takenBytes + bytes <= maxBytes || oldest === wanting) break;
      oldest.giveWay();
    }
    return takenBytes + bytes <= maxBytes;
  }

  return {
    enter() {
      let ownBytes = 0;
      let tell = (): void => {};
      const leave = (): void => {
        arriving.delete(self);
        takenBytes -= ownBytes;
        ownBytes = 0;
      };
      const self: Arriving = {
        giveWay() {
          leave();
          tell();
        },
      };
      arriving.add(self);
      return {
        take(bytes) {
          if (!makeRoom(bytes, self)) return false;
          takenBytes += bytes;
          ownBytes += bytes;
          return true;
        },
        onGiveWay(giveWay) {
          tell = giveWay;
        },
        arrived: () => void arriving.delete(self),
        leave,
      };
    },
  };
}
