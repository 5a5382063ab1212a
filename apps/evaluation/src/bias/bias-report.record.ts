import type { BiasReportDto } from '@hone/contracts';

/** What verdicts and labels told when a report was asked for. */
export type ObservedBias = Pick<
  BiasReportDto,
  'labels' | 'length' | 'self_preference' | 'judge_family' | 'vote_spread' | 'order_swap'
>;

/** A bias report, as it is kept. */
export interface BiasReportRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly criterion: string;
  /** The criterion is a tag, no rating. */
  readonly isTag: boolean;
  readonly level: number;
  readonly figures: ObservedBias;
  /** That probes ask about; erased calls leave it. */
  readonly callIds: readonly string[];
  /** About these calls, in their order, as they were. */
  readonly verdicts: readonly number[];
  readonly createdBy: string;
  readonly createdAt: Date;
}
