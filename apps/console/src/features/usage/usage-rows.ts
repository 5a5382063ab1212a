import { type UsageReportRowDto, type UsageSumsDto, writeCsv } from '@hone/client';

const COLUMNS = [
  'requests',
  'errors',
  'aborted',
  'prompt_tokens',
  'cached_tokens',
  'completion_tokens',
  'reasoning_tokens',
  'cost_usd',
  'mean_latency_ms',
] as const satisfies readonly (keyof UsageSumsDto)[];

export const GROUPS = { day: 'by day', hour: 'by hour', model: 'by model', key: 'by key', user: 'by user' } as const;
/** Heads of the columns of groups. */
export const GROUP_NAMES = { day: 'Day', hour: 'Hour', model: 'Model', key: 'Key', user: 'User' } as const;
export type Group = keyof typeof GROUPS;

/** What the page shows a group of a kind as: an id of a key by the name of the key. */
export type NameOf = (kind: Group, group: string) => string;

/** The names of a row's groups: of one, or of two. */
export const namesOf = (row: UsageReportRowDto, kinds: readonly Group[], nameOf: NameOf): readonly string[] =>
  kinds.map((kind, at) => nameOf(kind, (at === 0 ? row.group : row.then_group) ?? ''));

/** The rows as a file that spreadsheets read, groups under the names that the page shows. @param kinds one or two */
export const toCsv = (rows: readonly UsageReportRowDto[], kinds: readonly Group[], nameOf: NameOf): string =>
  writeCsv([
    [...kinds, ...COLUMNS],
    ...rows.map((row) => [...namesOf(row, kinds, nameOf), ...COLUMNS.map((name) => String(row[name] ?? ''))]),
  ]);

/** Part of the most that any row has, 0 to 1. */
export function shareOf(row: UsageReportRowDto, rows: readonly UsageReportRowDto[]): number {
  const most = Math.max(1, ...rows.map(({ requests }) => requests));
  return row.requests / most;
}
