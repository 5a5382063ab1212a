import type { UsageReportRowDto } from '@hone/client';

import { shareOf, toCsv } from './usage-rows.js';

const row = (group: string, requests: number): UsageReportRowDto => ({
  ...{ group, requests, errors: 1, aborted: 0, prompt_tokens: 5, cached_tokens: 0, completion_tokens: 7 },
  ...{ reasoning_tokens: 0, cost_usd: '0.000027000', mean_latency_ms: requests === 2 ? 812 : null },
});

describe('usage', () => {
  it('is written as CSV, with names that no spreadsheet runs', () => {
    const names: Record<string, string> = { a: 'say "hi", you', b: '=HYPERLINK(1)' };
    expect(toCsv([row('a', 2), row('b', 3)], ['key'], (_kind, group) => names[group] ?? group).split('\r\n')).toEqual([
      'key,requests,errors,aborted,prompt_tokens,cached_tokens,completion_tokens,reasoning_tokens,cost_usd,mean_latency_ms',
      '"say ""hi"", you",2,1,0,5,0,7,0,0.000027000,812',
      "'=HYPERLINK(1),3,1,0,5,0,7,0,0.000027000,",
      '',
    ]);
  });

  it('is written with a column for each of two groups', () => {
    const rows = [{ ...row('2026-11-20', 2), then_group: 'k1' }];
    const [head, line] = toCsv(rows, ['day', 'key'], (kind, group) => `${kind} ${group}`).split('\r\n');
    expect(head).toMatch(/^day,key,requests,/);
    expect(line).toMatch(/^day 2026-11-20,key k1,2,/);
  });

  it('is compared with the group that has most', () => {
    const rows = [row('a', 2), row('b', 8)];
    expect(rows.map((one) => shareOf(one, rows))).toEqual([0.25, 1]);
    expect(shareOf(row('a', 0), [row('a', 0)])).toBe(0);
  });
});
