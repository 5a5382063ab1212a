import type { GateActDto, GateBasis, GateLabelPlanDto, GateReason, GateStatus, GateVerdict } from '@hone/contracts';

import type { GateLook } from './decision/gate-looks.js';
import type { LeftOutPairs } from './reading/read-pairs.js';
import type { GateSettings } from './settings/gate-settings.js';

/** A decision between a baseline and a candidate. */
export interface GateRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly name: string;
  readonly settings: GateSettings;
  readonly status: GateStatus;
  readonly verdict: GateVerdict | null;
  readonly reason: GateReason | null;
  readonly reasonGuards: readonly string[];
  readonly basis: GateBasis | null;
  readonly error: string | null;
  readonly looks: readonly GateLook[];
  readonly leftOut: Partial<LeftOutPairs>;
  readonly labelPlan: GateLabelPlanDto | null;
  readonly acts: readonly GateActDto[];
  readonly queueId: string | null;
  /** Reads with this key's rights. */
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** How many pairs a gate has, and how far people judged them. */
export interface PairCounts {
  readonly pairs: number;
  readonly asked: number;
  readonly labels: number;
  /** Ids of the first calls that are awaited. */
  readonly awaited: readonly string[];
}

/** What a look changes. */
export interface GateProgress {
  /** Null: nothing of the metric was read yet. */
  readonly basis: GateBasis | null;
  readonly looks: readonly GateLook[];
  readonly leftOut: LeftOutPairs;
  /** Null: it goes on. */
  readonly end: Pick<GateRecord, 'verdict' | 'reason' | 'reasonGuards' | 'labelPlan'> | null;
}
