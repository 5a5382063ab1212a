import type { BiasProbe, ScoringCreateDto, ScoringStatus } from '@hone/contracts';

/** Which calls a scoring is about, as its request said. */
export type ScoringSelection = Pick<ScoringCreateDto, 'call_ids' | 'filter' | 'query'>;

/** A job that judges calls with one version of a scorer. */
export interface ScoringRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly selection: ScoringSelection;
  readonly callLimit: number;
  readonly maxCostNanoUsd: number | null;
  readonly costNanoUsd: number;
  readonly status: ScoringStatus;
  readonly isPlanned: boolean;
  readonly judgedBefore: number;
  readonly error: string | null;
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** How answers are changed before they are judged, for a bias report; null: they are judged as they are. */
  readonly probe: BiasProbe | null;
  /** Tells verdicts of probes from each other and from others, which have 0. */
  readonly trial: number;
}

/** How many verdicts of a scoring are in a state for a reason. */
export interface StateCount {
  readonly scoringId: string;
  readonly state: 'pending' | 'running' | 'done' | 'skipped' | 'failed';
  readonly code: string | null;
  readonly calls: number;
  /** Id of one of the calls. */
  readonly callId: string;
}
