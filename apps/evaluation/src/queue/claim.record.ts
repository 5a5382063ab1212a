/** An item of a job that this process is to settle. */
export interface Claim {
  /** Of the item among those of its job. */
  readonly id: string;
  /** Begins the ids of its requests to the gateway. */
  readonly uid: string;
  /** Fences off whoever claims it later, or did before. */
  readonly attempt: number;
  /** Tries that failed before. */
  readonly failures: number;
}

/** What becomes of a claimed item. */
export interface Settlement {
  readonly id: string;
  readonly attempt: number;
  readonly state: 'pending' | 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  readonly costNanoUsd: number;
  readonly isCostOpen: boolean;
  /** Milliseconds until it may be claimed again. */
  readonly delayMs: number;
}

/** A job whose items are claimed. */
export interface LeasedJob {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly maxCostNanoUsd: number | null;
  /** Models are asked with this key's rights. */
  readonly keyId: string;
}

/** What was found about an item, as far as its job is concerned. */
export interface Finding {
  readonly state: 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  readonly costNanoUsd: number;
  readonly isCostOpen: boolean;
  readonly isTransient: boolean;
}
