/** The result of a backup, and how its caller follows and stops it. */

export type BackupControls = {
  readonly overwrite: boolean;
  readonly onProgress: (donePages: number, totalPages: number) => void;
  /** Stops between two steps. Nothing is left behind. */
  readonly signal: AbortSignal;
};

/** One file that was written. */
export type StoreBackup = { readonly path: string; readonly bytes: number };
