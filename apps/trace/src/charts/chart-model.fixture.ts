import type { CallChartsDto, CallChartsResultDto, ChartGroup, ChartMeasure } from '@hone/contracts';

const EPOCH_MS = Date.UTC(2000, 0, 1);
/** Zones without summer time, with their offset in minutes. */
export const ZONES: Readonly<Record<string, number>> = {
  UTC: 0,
  'Asia/Kolkata': 330,
  'Asia/Kathmandu': 345,
  'America/Phoenix': -420,
};

/** A call as the model has it. */
export interface ModelCall {
  id: string;
  op: string;
  parent: string | null;
  user: string | null;
  thread: string | null;
  startedMs: number;
  /** Null: it runs. */
  endedMs: number | null;
  exception: string | null;
  /** Model -> tokens. */
  usage: Record<string, { prompt_tokens: number; completion_tokens: number; cached_tokens?: number }>;
  isDeleted: boolean;
  thumbs: ('👍' | '👎')[];
  /** Scorer -> its ratings. */
  ratings: Record<string, number[]>;
}

/** US dollars per token from a time on. */
export interface ModelPrice {
  model: string;
  fromMs: number;
  prompt: number;
  completion: number;
}

/** What is counted: a call once with its first model, and its tokens with each of its models. */
interface Entry {
  call: ModelCall;
  model: string | null;
  scorer: string | null;
  isFirst: boolean;
  tokens?: { prompt: number; completion: number; cached: number };
  rating?: number;
}

/** Charts, computed of all calls one by one. */
export class ChartModel {
  readonly calls: ModelCall[] = [];
  readonly prices: ModelPrice[] = [];

  chart(body: CallChartsDto): Pick<CallChartsResultDto, 'timestamps' | 'series' | 'other' | 'totals'> {
    const range = [Date.parse(body.start), Date.parse(body.end as string)] as const;
    const entries = this.calls
      .filter(({ isDeleted, startedMs }) => !isDeleted && startedMs >= range[0] && startedMs < range[1])
      .filter(({ parent }) => body.filter?.trace_roots_only !== true || parent === null)
      .filter(({ op }) => !body.filter?.op_names?.length || body.filter.op_names.includes(op))
      .flatMap((call) =>
        entriesOf(
          call,
          body.group_by?.includes('scorer') === true || body.measures.some((one) => one.includes('rating')),
        ),
      );
    const groups = body.group_by ?? [];
    const byKey = groupBy(entries, (entry) => JSON.stringify(groups.map((group) => valueOf(entry, group))));
    const rank = body.measures[0] as ChartMeasure;
    const keys = [...byKey.keys()].sort(
      (a, b) => this.rankOf(byKey.get(b) ?? [], rank) - this.rankOf(byKey.get(a) ?? [], rank) || (a < b ? -1 : 1),
    );
    const limit = body.limit ?? 10;
    const bucketOf = ({ call }: Entry) => bucketMs(call.startedMs, body);
    const times = [...new Set(entries.map(bucketOf))].sort((a, b) => a - b);
    const series = (of: Entry[], key: Record<string, string | null>) => {
      const byTime = groupBy(of, bucketOf);
      const valuesOf = (measure: ChartMeasure) => times.map((time) => this.measure(byTime.get(time) ?? [], measure));
      return {
        ...{ key, totals: this.measures(of, body.measures) },
        values: Object.fromEntries(body.measures.map((measure) => [measure, valuesOf(measure)])),
      };
    };
    const rest = keys.slice(limit).flatMap((key) => byKey.get(key) ?? []);
    return {
      timestamps: times.map((time) => new Date(time).toISOString()),
      series: keys.slice(0, limit).map((key) => {
        const values = JSON.parse(key) as (string | null)[];
        return series(
          byKey.get(key) ?? [],
          Object.fromEntries(groups.map((group, index) => [group, values[index] ?? null])),
        );
      }),
      other: rest.length === 0 ? null : series(rest, {}),
      totals: this.measures(entries, body.measures),
    };
  }

  private measures(entries: Entry[], measures: readonly ChartMeasure[]): Record<string, number | null> {
    return Object.fromEntries(measures.map((measure) => [measure, this.measure(entries, measure)]));
  }

  /** What series are ordered by. */
  private rankOf(entries: Entry[], measure: ChartMeasure): number {
    if (measure === 'thumbs_down_rate') return this.measure(entries, 'thumbs_down') ?? 0;
    if (measure === 'avg_rating') return this.measure(entries, 'ratings') ?? 0;
    return this.measure(entries, /latency|rate$/.test(measure) ? 'calls' : measure) ?? 0;
  }

  private measure(entries: Entry[], measure: ChartMeasure): number | null {
    const calls = entries.filter(({ isFirst }) => isFirst).map(({ call }) => call);
    const latencies = calls
      .flatMap(({ startedMs, endedMs }) => (endedMs === null ? [] : [Math.max(0, endedMs - startedMs)]))
      .sort((a, b) => a - b);
    const sum = (of: (entry: Entry) => number) => entries.reduce((total, entry) => total + of(entry), 0);
    const thumbs = (which: string) => calls.flatMap((call) => call.thumbs).filter((thumb) => thumb === which).length;
    const ratings = entries.flatMap(({ rating }) => rating ?? []);
    const quantile = (q: number) => latencies[Math.ceil(q * latencies.length - 1e-9) - 1] ?? null;
    const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
    const errors = calls.filter(({ exception }) => exception !== null).length;
    switch (measure) {
      case 'calls':
        return calls.length;
      case 'errors':
        return errors;
      case 'error_rate':
        return share(errors, calls.length);
      case 'prompt_tokens':
        return sum(({ tokens }) => tokens?.prompt ?? 0);
      case 'cached_tokens':
        return sum(({ tokens }) => tokens?.cached ?? 0);
      case 'total_tokens':
        return sum(({ tokens }) => (tokens ? tokens.prompt + tokens.completion : 0));
      case 'cost':
        return sum((entry) => this.costOf(entry));
      case 'avg_latency_ms':
        return share(
          latencies.reduce((total, ms) => total + ms, 0),
          latencies.length,
        );
      case 'p50_latency_ms':
        return quantile(0.5);
      case 'p95_latency_ms':
        return quantile(0.95);
      case 'p99_latency_ms':
        return quantile(0.99);
      case 'thumbs_up':
        return thumbs('👍');
      case 'thumbs_down':
        return thumbs('👎');
      case 'thumbs_down_rate':
        return share(thumbs('👎'), thumbs('👎') + thumbs('👍'));
      case 'ratings':
        return ratings.length;
      case 'avg_rating':
        return share(
          ratings.reduce((total, rating) => total + rating, 0),
          ratings.length,
        );
      default:
        throw new Error(`The model does not know ${measure}`);
    }
  }

  private costOf({ call, model, tokens }: Entry): number {
    const prices = this.prices.filter((price) => price.model === model && price.fromMs <= call.startedMs);
    const price = prices.sort((a, b) => a.fromMs - b.fromMs).at(-1);
    return price && tokens ? tokens.prompt * price.prompt + tokens.completion * price.completion : 0;
  }
}

function entriesOf(call: ModelCall, withRatings: boolean): Entry[] {
  const tokensOf = ([model, used]: [string, ModelCall['usage'][string]]): Entry => ({
    ...{ call, model, scorer: null, isFirst: false },
    tokens: {
      prompt: used.prompt_tokens,
      completion: used.completion_tokens,
      cached: Math.min(used.cached_tokens ?? 0, used.prompt_tokens),
    },
  });
  const total = ({ tokens }: Entry) => (tokens ? tokens.prompt + tokens.completion : 0);
  const used = Object.entries(call.usage)
    .map(tokensOf)
    .sort((a, b) => total(b) - total(a));
  const first: Entry = used[0] ?? { call, model: null, scorer: null, isFirst: true };
  first.isFirst = true;
  const rated = Object.entries(call.ratings).flatMap(([scorer, ratings]) =>
    ratings.map((rating): Entry => ({ call, model: first.model, scorer, isFirst: false, rating })),
  );
  return [first, ...used.slice(1), ...(withRatings ? rated : [])];
}

function valueOf({ call, model, scorer }: Entry, group: ChartGroup): string | null {
  switch (group) {
    case 'model':
      return model;
    case 'op':
      return call.op.includes(':///') ? call.op.replace(/:[^:/]*$/, ':*') : call.op;
    case 'status':
      return call.exception !== null ? 'error' : call.endedMs === null ? 'running' : 'success';
    case 'error_class':
      return call.exception;
    case 'user':
      return call.user;
    case 'thread':
      return call.thread;
    case 'scorer':
      return scorer;
    default:
      return null;
  }
}

function bucketMs(ms: number, { granularity, timezone }: CallChartsDto): number {
  const [offset, width] = [(ZONES[timezone as string] as number) * 60_000, (granularity as number) * 1_000];
  return EPOCH_MS + Math.floor((ms + offset - EPOCH_MS) / width) * width - offset;
}

function groupBy<T, Key>(items: readonly T[], keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const [key, known] = [keyOf(item), groups.get(keyOf(item))];
    if (known) known.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
