import { type Principal, ProjectAccess } from '@hone/auth';
import {
  type FeedbackAggregation,
  type FeedbackMetricDto,
  type FeedbackStatsDto,
  type FeedbackStatsResultDto,
  setKey,
  tooManyIssue,
  valueIssue,
  withoutScheme,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { TimeRanges } from '../../time-buckets/time-ranges.js';
import { FeedbackStatsRepository, type Metric, type StatsRow } from './feedback-stats.repository.js';

const MAX_METRICS = 20;
const DEFAULTS: Record<Metric['valueType'], readonly FeedbackAggregation[]> = {
  numeric: ['avg', 'min', 'max'],
  boolean: ['count_true', 'count_false'],
  categorical: ['count'],
};

/** A metric with the names under which it is answered. */
interface NamedMetric extends Metric {
  slug: string;
  /** Of its aggregations, then of its percentiles. */
  names: string[];
}

@Injectable()
export class FeedbackStatsService {
  constructor(
    private readonly statistics: FeedbackStatsRepository,
    private readonly ranges: TimeRanges,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * Values of payloads by time. An unknown project has none.
   *
   * @throws ValidationError an end before the start, an unknown time zone, two metrics with one slug
   * @throws AccessDeniedError
   */
  async read(caller: Principal, body: FeedbackStatsDto): Promise<FeedbackStatsResultDto> {
    const metrics = readMetrics(body.metrics ?? []);
    const range = this.ranges.read(body);
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    await this.ranges.assertTimezone(range);
    const selection = {
      ...{ start: range.start, end: range.end, feedbackType: body.feedback_type ?? undefined },
      triggerRef: body.trigger_ref ? withoutScheme(body.trigger_ref) : undefined,
    };
    const rows = projectRowId === null ? [] : await this.statistics.list(projectRowId, selection, range, metrics);
    const total = rows.find(({ timestamp }) => timestamp === null);
    return {
      ...{ start: range.start.toISOString(), end: range.end.toISOString() },
      ...{ granularity: range.granularitySeconds, timezone: range.timezone },
      buckets: rows.filter(({ timestamp }) => timestamp !== null).map((row) => toBucket(row, metrics)),
      window_stats: toWindow(total, metrics),
    };
  }
}

function readMetrics(metrics: FeedbackMetricDto[]): NamedMetric[] {
  if (metrics.length > MAX_METRICS)
    throw new ValidationError([{ ...tooManyIssue(MAX_METRICS), loc: ['body', 'metrics'] }]);
  const slugs = new Set<string>();
  return metrics.map((metric, index) => {
    const slug = metric.json_path.replace(/[^A-Za-z0-9_]/g, '_');
    if (slugs.has(slug))
      throw new ValidationError([
        valueIssue(`Another metric has the slug '${slug}'`, ['body', 'metrics', index, 'json_path']),
      ]);
    slugs.add(slug);
    const valueType = metric.value_type ?? 'numeric';
    const aggregations = [...new Set(metric.aggregations?.length ? metric.aggregations : DEFAULTS[valueType])];
    const percentiles = [...new Set(metric.percentiles ?? [])];
    const names = [...aggregations, ...percentiles.map((one) => `p${String(one).replace('.', '_')}`)];
    return { jsonPath: metric.json_path, valueType, aggregations, percentiles, slug, names };
  });
}

function toBucket({ timestamp, count, values }: StatsRow, metrics: NamedMetric[]): Record<string, unknown> {
  const bucket: Record<string, unknown> = { timestamp, count };
  metrics.forEach(({ slug, names }, at) =>
    names.forEach((name, index) => setKey(bucket, `${name}_${slug}`, values[at]?.[index] ?? null)),
  );
  return bucket;
}

function toWindow(total: StatsRow | undefined, metrics: NamedMetric[]): Record<string, Record<string, number | null>> {
  const window = {};
  metrics.forEach(({ slug, names }, at) =>
    setKey(window, slug, Object.fromEntries(names.map((name, index) => [name, total?.values[at]?.[index] ?? null]))),
  );
  return window;
}
