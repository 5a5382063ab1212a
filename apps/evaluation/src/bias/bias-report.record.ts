import type { BiasReportCreateDto } from '@hone/contracts';

/** A request for a bias report, as it is kept. */
export interface BiasReportRecord {
  readonly id: string;
  readonly projectRowId: string;
  /** `<entity>/<project>`. */
  readonly projectId: string;
  readonly scorerId: string;
  readonly scorerDigest: string;
  readonly request: BiasReportCreateDto;
  /** That probes ask about. */
  readonly callIds: readonly string[];
  readonly createdBy: string;
  readonly createdAt: Date;
}
