import type { UsageReportRowDto, UsageSumsDto } from '@hone/client';

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

/** The rows as a file that spreadsheets read (RFC 4180), groups under the name that the page shows. */
export const toCsv = (rows: readonly UsageReportRowDto[], nameOf: (group: string) => string): string =>
  [['group', ...COLUMNS], ...rows.map((row) => [nameOf(row.group), ...COLUMNS.map((name) => String(row[name] ?? ''))])]
    .map((cells) => `${cells.map(toCell).join(',')}\r\n`)
    .join('');

/** A spreadsheet would run what begins like a formula. */
function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Part of the most that any row has, 0 to 1. */
export function shareOf(row: UsageReportRowDto, rows: readonly UsageReportRowDto[]): number {
  const most = Math.max(1, ...rows.map(({ requests }) => requests));
  return row.requests / most;
}
