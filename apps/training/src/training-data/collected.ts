import type { Entry } from './arranging/arrange.js';
import type { Spool } from './arranging/spool.js';
import type { Skipped } from './skipped.js';

/** The calls of a body, as far as each of them may become a part of the data. */
export interface Collected {
  readonly entries: readonly Entry[];
  readonly spool: Spool;
  readonly skipped: Skipped;
  /** Calls that were read. */
  readonly calls: number;
}
