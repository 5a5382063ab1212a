import { isoTime } from '../../shared/time/iso-time.js';
import { aUsageRecord, jsonOf } from './usage-record.fixture.js';

const read = (changes: Parameters<typeof aUsageRecord>[0]) => JSON.parse(jsonOf(aUsageRecord(changes)));

describe('the JSON of a usage record', () => {
  it('has the members that are not null, false or 0', () => {
    const record = aUsageRecord();
    const { uid, keyId, userId, projectId } = record;
    expect(JSON.parse(jsonOf(record))).toEqual({
      uid,
      startedAt: '2026-11-20T10:30:00.000Z',
      rid: 'req-1',
      responseId: 'chatcmpl-req-1',
      keyId,
      userId,
      projectId,
      modelAsked: 'team-chat',
      modelAnswered: 'big-128k',
      target: 'backup/big-128k',
      route: 'chat',
      status: 'ok',
      attempts: [{ target: 'backup/big-128k', outcome: 'ok', ms: 812 }],
      promptTokens: 100,
      completionTokens: 20,
      source: 'upstream',
      pricePrompt: 150_000_000,
      priceCached: 70_000_000,
      priceCompletion: 600_000_000,
      costNanoUsd: 27_000,
      isBilled: true,
      isStream: true,
      ttftMs: 120,
      durationMs: 812,
    });
  });

  it('of a failed request has no cost', () => {
    const json = read({ status: 'error', errorCode: 'stream_stalled' });
    expect(json).toMatchObject({ status: 'error', errorCode: 'stream_stalled' });
    expect([json.costNanoUsd, json.isBilled]).toEqual([undefined, undefined]);
  });

  it('has each attempt, and what it counted', () => {
    const attempts = [
      { target: 'up/"m"', outcome: 'failed', ms: 1.6 },
      { target: 'backup/m', outcome: 'ok', ms: 2, promptTokens: 0, completionTokens: 3 },
    ] as const;
    expect(read({ attempts }).attempts).toEqual([{ ...attempts[0], ms: 2 }, attempts[1]]);
    expect(read({ attempts: [] }).attempts).toEqual([]);
  });

  it('contains texts of upstreams in a form that Postgres stores', () => {
    const long = 'x'.repeat(1_000);
    const texts = { modelAsked: '"\\\n', modelAnswered: 'ü 🙂', errorCode: `a\0b\ud800${long}`, target: long };
    expect(read({ ...texts, attempts: [{ target: 'up\0', outcome: 'failed', ms: 1 }] })).toMatchObject({
      modelAsked: '"\\\n',
      modelAnswered: 'ü 🙂',
      errorCode: `a\ufffdb\ufffd${'x'.repeat(508)}`,
      target: 'x'.repeat(512),
      attempts: [{ target: 'up\ufffd', outcome: 'failed', ms: 1 }],
    });
  });

  it('has whole milliseconds', () => {
    expect(read({ ttftMs: 1.4, durationMs: 2.6 })).toMatchObject({ ttftMs: 1, durationMs: 3 });
    expect(read({ ttftMs: 0.2 }).ttftMs).toBe(0);
  });
});

it('isoTime is what toISOString is, within a second and across', () => {
  const start = Date.parse('2026-12-31T23:59:58.990Z');
  for (const step of [0, 1, 9, 10, 999, 1_010, 1_011, 500, -1, 86_400_000]) {
    const time = new Date(start + step);
    expect(isoTime(time)).toBe(time.toISOString());
  }
});
