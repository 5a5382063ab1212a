import type { ThreadRange } from './allocate-threads.js';

/** What an arm or a shadow asks. */
export interface SplitTarget {
  readonly model: string;
  /** The model whose checkpoint it names by its step; null: it names none so. */
  readonly modelId: string | null;
  /** 0: the base. Null with {@link modelId}. */
  readonly step: number | null;
}

export interface SplitArm extends SplitTarget {
  readonly name: string;
  /** Share of the threads, 0 to 1. */
  readonly weight: number;
}

export interface SplitShadow extends SplitTarget {
  /** Of the requests that production answers, 0 to 1. */
  readonly share: number;
  /** Null: no limit. */
  readonly maxCostUsdPerDay: number | null;
}

/** What a writer of the project decides of a split. */
export interface SplitDraft {
  readonly arms: readonly SplitArm[];
  readonly ranges: readonly ThreadRange[];
  readonly shadow: SplitShadow | null;
}

/** Which models answer the requests that name an alias. */
export interface AliasSplit extends SplitDraft {
  readonly id: string;
  readonly alias: string;
  /** 1, and 1 more with each change. */
  readonly version: number;
  /** On shadows, on this UTC day. */
  readonly spentNanoUsd: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** A split that names a checkpoint. */
export interface NamingSplit {
  readonly alias: string;
  /** Name of the model that has the alias. */
  readonly model: string;
  readonly step: number;
}
