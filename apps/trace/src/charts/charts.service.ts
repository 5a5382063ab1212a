import { type Principal, ProjectAccess } from '@hone/auth';
import { CallSelector } from '@hone/call-queries';
import { DerivedCallsRepository, type Prices, PricesRepository } from '@hone/calls';
import {
  type CallChartsDto,
  type CallChartsResultDto,
  type ChartGroup,
  type ChartSeriesDto,
  valueIssue,
} from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { TimeRanges } from '../time-buckets/time-ranges.js';
import { JUDGED, measuresOf, QUANTILES, rankOf } from './chart-measures.js';
import { type ChartQuery, mayReadHours } from './chart-rows.sql.js';
import { ChartWindowsRepository } from './chart-windows.repository.js';
import {
  type ChartKey,
  type ChartLatencies,
  ChartsRepository,
  type ChartSums,
  type PricedModel,
} from './charts.repository.js';
import { KnownModels } from './known-models.js';

const DEFAULT_LIMIT = 10;
const MAX_PENDING = 10_000;

/** What a chart is made of. */
interface Figures {
  sums: readonly ChartSums[];
  keys: readonly ChartKey[];
  latencies: readonly ChartLatencies[];
}

@Injectable()
export class ChartsService {
  constructor(
    private readonly charts: ChartsRepository,
    private readonly windows: ChartWindowsRepository,
    private readonly prices: PricesRepository,
    private readonly known: KnownModels,
    private readonly derived: DerivedCallsRepository,
    private readonly ranges: TimeRanges,
    private readonly selector: CallSelector,
    private readonly access: ProjectAccess,
  ) {}

  /**
   * Figures of calls over time, by groups of them. An unknown project has no calls.
   *
   * @throws ValidationError a bad expression, an end before the start, an unknown time zone, groups that do not fit
   * @throws AccessDeniedError
   */
  async chart(caller: Principal, body: CallChartsDto): Promise<CallChartsResultDto> {
    assertGroups(body);
    const selected = this.selector.compile(body);
    const range = this.ranges.read(body);
    const projectRowId = await this.access.findReadable(caller, 'trace', body.project_id);
    await this.ranges.assertTimezone(range);
    const { start, end, granularitySeconds: granularity, timezone } = range;
    const head = { start: start.toISOString(), end: end.toISOString(), granularity, timezone };
    if (projectRowId === null) return { ...head, ...toChart(body, NO_FIGURES), pending_calls: 0 };
    const figures = await this.read(await this.selector.within(projectRowId, selected), range, body);
    return {
      ...head,
      ...toChart(body, figures),
      pending_calls: await this.derived.countUnderived(projectRowId, MAX_PENDING),
    };
  }

  private async read(
    selection: ChartQuery['selection'],
    range: ChartQuery['range'],
    body: CallChartsDto,
  ): Promise<Figures> {
    const { measures } = body;
    const groups = body.group_by ?? [];
    const limit = body.limit ?? DEFAULT_LIMIT;
    const prices = measures.includes('cost') ? await this.prices.find(selection.projectRowId) : null;
    const changes = prices?.changesBetween(range.start, range.end) ?? [];
    const sources = mayReadHours(selection, groups)
      ? await this.windows.find(selection.projectRowId, range, changes)
      : { windows: [range], readHours: null };
    const query: ChartQuery = { selection, range, groups, sources, changes };
    const isJudged = measures.some((measure) => JUDGED.includes(measure));
    const rank = rankOf(measures[0] as (typeof measures)[number]);
    const found = await this.sums(query, prices, { rank, limit, isJudged });
    const quantiles = measures.flatMap((measure) => QUANTILES[measure] ?? []);
    const latencies = quantiles.length === 0 ? [] : await this.charts.latencies(query, found.keys, quantiles, limit);
    return { ...found, latencies };
  }

  /** With costs, where there are prices. Models whose prices were not at hand are read once more. */
  private async sums(query: ChartQuery, prices: Prices | null, options: Parameters<ChartsRepository['sums']>[2]) {
    if (!prices) return this.charts.sums(query, [], options);
    const { projectRowId } = query.selection;
    let models = this.known.of(projectRowId);
    for (;;) {
      const priced = pricedModels(models, query, prices);
      const found = await this.charts.sums(query, priced, options);
      this.known.add(projectRowId, found.models);
      const others = pricedModels(new Set(found.models.filter((model) => !models.has(model))), query, prices);
      if (others.length === 0) return found;
      models = new Set([...models, ...found.models]);
    }
  }
}

/** Prices of models, in each time between changes of prices. */
function pricedModels(models: ReadonlySet<string>, { range, changes }: ChartQuery, prices: Prices): PricedModel[] {
  const times = [range.start, ...changes];
  return [...models].flatMap((model) =>
    times.flatMap((time, epoch) => {
      const price = prices.find(model, time);
      return price ? [{ model, epoch, price }] : [];
    }),
  );
}

/** Scorers have neither calls nor costs. */
function assertGroups({ group_by, measures }: CallChartsDto): void {
  const groups = group_by ?? [];
  if (new Set(groups).size < groups.length)
    throw new ValidationError([valueIssue('Each group should be named once', ['body', 'group_by'])]);
  const others = measures.filter((measure) => measure !== 'ratings' && measure !== 'avg_rating');
  if (groups.includes('scorer') && others.length > 0)
    throw new ValidationError([
      valueIssue(`Ratings alone can be grouped by scorer, not ${others[0]}`, ['body', 'measures']),
    ]);
}

const NO_FIGURES: Figures = { sums: [], keys: [], latencies: [] };

function toChart(
  body: CallChartsDto,
  { sums, keys, latencies }: Figures,
): Pick<CallChartsResultDto, 'timestamps' | 'series' | 'other' | 'totals'> {
  const cells = new Map(sums.map((one) => [cellOf(one.place, one.timestamp), one]));
  const quantiles = new Map(latencies.map((one) => [cellOf(one.place, one.timestamp), one.latencies]));
  const times = [...new Set(sums.flatMap(({ timestamp }) => timestamp?.getTime() ?? []))].sort((a, b) => a - b);
  const at = (place: number | null, time: Date | null) =>
    measuresOf(body.measures, cells.get(cellOf(place, time)), quantiles.get(cellOf(place, time)));
  const seriesAt = (place: number, key: Record<string, string | null>): ChartSeriesDto => {
    const values = times.map((time) => at(place, new Date(time)));
    return {
      ...{ key, totals: at(place, null) },
      values: Object.fromEntries(
        body.measures.map((measure) => [measure, values.map((value) => value[measure] ?? null)]),
      ),
    };
  };
  const rest = (body.limit ?? DEFAULT_LIMIT) + 1;
  return {
    timestamps: times.map((time) => new Date(time).toISOString()),
    series: keys.map(({ place, key }) => seriesAt(place, keyOf(body.group_by ?? [], key))),
    other: cells.has(cellOf(rest, null)) ? seriesAt(rest, {}) : null,
    totals: at(null, null),
  };
}

const cellOf = (place: number | null, time: Date | null): string => `${place} ${time?.getTime()}`;

function keyOf(groups: readonly ChartGroup[], key: string): Record<string, string | null> {
  const values = JSON.parse(key) as (string | null)[];
  return Object.fromEntries(groups.map((group, index) => [group, values[index] ?? null]));
}
