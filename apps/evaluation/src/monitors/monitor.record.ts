import type { MonitorCreateDto } from '@hone/contracts';

export type MonitorSelection = Pick<MonitorCreateDto, 'filter' | 'query'>;

/** A scorer that judges new calls as they come. */
export interface MonitorRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly name: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly selection: MonitorSelection;
  readonly sampleRate: number;
  readonly maxCostNanoUsdPerDay: number | null;
  readonly isPaused: boolean;
  readonly keyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
}
