import type { GatewayFailureDto, GatewayTargetDto } from '@hone/client';

import { outcomeOf, reasonText, standingOf } from './standing.js';

const LATER = '2026-11-24T12:00:00.000Z';
const TARGET = {
  ...{ upstream: 'main', model: 'big', healthy: true, in_flight: 0, max_concurrency: 2 },
  ...{ out_until: null, cooling_until: null },
  breaker: { state: 'closed', since: LATER, half_open_at: null },
} as unknown as GatewayTargetDto;
const FAILURE = { forwarded: false, moved_to: null, code: 'upstream_failed' } as GatewayFailureDto;

describe('the standing of a target', () => {
  it.each([
    ['healthy', {}, null],
    ['full', { in_flight: 2 }, null],
    ['cooling down', { cooling_until: LATER, in_flight: 2 }, LATER],
    ['half-open', { breaker: { state: 'half-open' }, cooling_until: LATER }, null],
    ['open', { breaker: { state: 'open', half_open_at: LATER }, cooling_until: LATER }, LATER],
    ['out', { out_until: LATER, breaker: { state: 'open', half_open_at: null } }, LATER],
  ])('is %s when nothing worse holds', (word, fields, until) => {
    expect(standingOf({ ...TARGET, ...fields } as GatewayTargetDto, false)).toMatchObject({ word, until });
  });
});

describe('the target of a trained model that was deleted', () => {
  it('is deleted, however it was before', () => {
    expect(standingOf({ ...TARGET, out_until: LATER }, true)).toMatchObject({ word: 'deleted', until: null });
  });
});

describe('a failure', () => {
  it('says what became of the request', () => {
    const outcomes = [
      FAILURE,
      { ...FAILURE, forwarded: true },
      { ...FAILURE, moved_to: 'main/big' },
      { ...FAILURE, moved_to: 'backup/ok' },
    ].map((failure) => outcomeOf(failure, TARGET));
    expect(outcomes).toEqual([
      'failed with upstream_failed',
      'the stream ended with an error',
      'tried again here',
      'went on to backup/ok',
    ]);
  });

  it('has its reason in words, or as it is when a later server has others', () => {
    expect([reasonText('silent'), reasonText('abducted')]).toEqual(['no answer in time', 'abducted']);
  });
});
