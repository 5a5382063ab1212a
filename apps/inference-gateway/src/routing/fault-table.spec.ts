import { FakeUpstream } from '@hone/testing';

import { answerOf, AnswerRig, type Asked, type RigTarget } from './answer-rig.fixture.js';
import type { AnswerOutcome } from './answer-sink.js';

/** A port on which nobody listens. */
const DEAD = 'http://127.0.0.1:1/v1';

/** What the caller of the only target gets: status and code, or the code of a failure frame after `tokens` of text. */
interface Row {
  readonly row: string;
  readonly model: string;
  /** `error.code` before anything was sent. */
  readonly code: string;
  readonly status: number;
  /** Set when the fault strikes after some text: code in the stream. */
  readonly streamCode?: string;
  readonly tokens?: number;
  /** How often the only target is asked, 1 unless told. */
  readonly tries?: number;
  /** A second target is of no use. */
  readonly isFinal?: boolean;
  /** What happens when the answer is no stream, where that differs. */
  readonly whole?: Partial<Row> | 'ok';
}

const early = (row: string, model: string, status: number, code: string, more: Partial<Row> = {}): Row => ({
  row,
  model,
  status,
  code,
  ...more,
});
const late = (row: string, model: string, streamCode: string, status: number, code: string, more: Partial<Row> = {}) =>
  early(row, model, status, code, { streamCode, tokens: 3, tries: 3, ...more });

const ROWS: Row[] = [
  early('2 reset before headers', 'reset', 502, 'upstream_unreachable', { tries: 3 }),
  early('3 silent', 'silent', 504, 'upstream_timeout'),
  early('4 headers without an answer', 'headers-only', 504, 'upstream_timeout'),
  early('5 429, Retry-After too long', 'rate-limit+retry-after@9', 429, 'upstream_rate_limited'),
  early('6 429', 'rate-limit', 429, 'upstream_rate_limited', { tries: 3 }),
  early('7 500', 'status@500', 502, 'upstream_failed', { tries: 3 }),
  early('7 502', 'status@502', 502, 'upstream_failed', { tries: 3 }),
  early('7 408', 'status@408', 502, 'upstream_failed', { tries: 3 }),
  early('7 409', 'status@409', 502, 'upstream_failed', { tries: 3 }),
  early('7 503', 'status@503', 503, 'overloaded', { tries: 3 }),
  early('7 529', 'status@529', 503, 'overloaded', { tries: 3 }),
  early('8 401', 'status@401', 502, 'upstream_auth'),
  early('8 403', 'status@403', 502, 'upstream_auth'),
  early('8 402', 'status@402', 502, 'upstream_failed'),
  early('8 no quota', 'no-quota', 502, 'upstream_failed'),
  early('8 404', 'no-such-model', 502, 'upstream_failed'),
  early('9 context length', 'context-length', 400, 'context_length_exceeded', { isFinal: true }),
  early('10 content filter', 'content-filter', 400, 'content_policy_violation', { isFinal: true }),
  early('11 other 400', 'status@400', 400, 'upstream_rejected', { isFinal: true }),
  early('11 other 422', 'status@422', 422, 'upstream_rejected', { isFinal: true }),
  late('12 FIN', 'cut@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('12 RST', 'cut-reset@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('12 cut before the first token', 'cut@0', '', 502, 'upstream_failed', { tokens: 0 }),
  late('12 cut after the finish', 'no-done-reset', 'stream_interrupted', 502, 'upstream_failed', {
    tokens: 8,
    whole: 'ok',
  }),
  late('13 clean end', 'clean-end@3', 'stream_interrupted', 502, 'upstream_failed', {
    whole: { code: 'upstream_invalid' },
  }),
  late('13 [DONE] without finish_reason', 'no-finish@3', 'stream_interrupted', 502, 'upstream_failed'),
  late('14 stall', 'stall@3', 'stream_stalled', 504, 'upstream_timeout', { tries: 1 }),
  late('15 error frame', 'error-frame@3', 'upstream_failed', 502, 'upstream_failed'),
  late('15 finish_reason error', 'finish-error@3', 'upstream_failed', 502, 'upstream_failed'),
  late('15 finish_reason abort', 'finish-abort@3', 'upstream_failed', 502, 'upstream_failed'),
  late('17 damaged frame', 'damaged-frame@3', 'stream_damaged', 502, 'upstream_invalid'),
  late('17 lost frame', 'lost-frame@3', 'stream_damaged', 502, 'upstream_invalid', { tokens: 7, whole: 'ok' }),
  late('two ends', 'two-finishes', 'stream_damaged', 502, 'upstream_invalid', { tokens: 8, whole: 'ok' }),
  early('19 HTML', 'html', 502, 'upstream_invalid', { tries: 3 }),
  early('19 empty', 'empty', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  early('19 no JSON', 'invalid-json', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  early('19 no choices', 'no-choices', 502, 'upstream_failed', { tries: 3, whole: { code: 'upstream_invalid' } }),
  late('21 frame > 4 MiB', 'big-frame@5', 'stream_interrupted', 502, 'upstream_invalid', {
    tokens: 1,
    tries: 1,
    whole: 'ok',
  }),
  early('21 redirect', 'redirect', 502, 'upstream_invalid'),
];

const WHOLE_ONLY: Row[] = [
  early('19 body with an error', 'error-body', 502, 'upstream_failed', { tries: 3 }),
  early('19 a stream instead', 'other-form', 502, 'upstream_invalid', { tries: 3 }),
  early('21 body > 64 MiB', 'big-body@65', 502, 'upstream_invalid'),
];

describe('the fault table', () => {
  let a: FakeUpstream;
  let b: FakeUpstream;
  beforeAll(async () => {
    a = await FakeUpstream.start({ name: 'a' });
    b = await FakeUpstream.start({ name: 'b' });
  });
  afterAll(() => Promise.all([a.stop(), b.stop()]));
  beforeEach(() => {
    a.forget();
    b.forget();
  });

  type Guard = 'passthrough' | 'buffered';
  const ask = async (targets: readonly RigTarget[], fields: object, guard: Guard) => {
    // Megabytes need longer than silence may last.
    const isBig = targets.some(({ model }) => model.startsWith('big-'));
    const limits = isBig ? { responseMs: 5_000, stallMs: 5_000, ttftMs: 5_000, ttftLastMs: 5_000 } : {};
    const rig = new AnswerRig(targets, { guard, limits, health: { breakerFailures: 99 } });
    const asked = rig.ask({ ...fields });
    const outcome = await asked.outcome;
    await rig.close();
    return { ...asked, outcome };
  };
  type Answered = Omit<Asked, 'outcome'> & { outcome: AnswerOutcome };

  const expectWhole = ({ sink, outcome }: Answered, name: string, isStream: boolean) => {
    expect([outcome.status, sink.state, sink.content()]).toEqual(['ok', 'ended', answerOf(name)]);
    if (isStream) expect(sink.isDone).toBe(true);
    expect(sink.settled).toHaveLength(1);
  };
  const expectNothing = ({ sink, outcome }: Answered, status: number, code: string) => {
    expect([sink.state, sink.headers, sink.text]).toEqual(['open', null, '']);
    expect(outcome).toMatchObject({ status: 'failed', isCommitted: false, failure: { status, code } });
    expect(sink.settled).toEqual([]);
  };
  const expectFailureFrame = ({ sink, outcome }: Answered, code: string, content: string) => {
    expect([sink.state, sink.content()]).toEqual(['failed', content]);
    expect(sink.frames().at(-1)).toMatchObject({ error: { code } });
    expect(sink.text).not.toContain('[DONE]');
    expect(sink.text).not.toMatch(/"finish_reason":"/);
    expect(outcome).toMatchObject({ status: 'failed', isCommitted: true });
    expect(sink.settled).toEqual([]);
  };

  describe.each(ROWS)('$row', (row) => {
    const { model, status, code, streamCode, tokens = 0, tries = 1, isFinal = false } = row;
    const alone = (fake = a): RigTarget[] => [{ fake, model }];
    const backed = (): RigTarget[] => [...alone(), { fake: b, model: 'ok', priority: 1 }];
    const isLate = streamCode !== undefined && tokens > 0;

    it('passthrough, one target', async () => {
      const answered = await ask(alone(), { stream: true }, 'passthrough');
      if (isLate) expectFailureFrame(answered, streamCode, textOf(row));
      else expectNothing(answered, status, code);
      expect(a.count()).toBe(isLate ? 1 : tries);
    });

    it('passthrough, two targets', async () => {
      const answered = await ask(backed(), { stream: true }, 'passthrough');
      if (isLate) expectFailureFrame(answered, streamCode, textOf(row));
      else if (isFinal) expectNothing(answered, status, code);
      else expectWhole(answered, 'b', true);
      expect(b.count()).toBe(isLate || isFinal ? 0 : 1);
    });

    it('buffered, one target', async () => {
      const answered = await ask(alone(), { stream: true }, 'buffered');
      // A frame of five MiB is too large before eight are held.
      expectNothing(answered, status, code);
      expect(a.count()).toBe(tries);
    });

    it('buffered, two targets', async () => {
      const answered = await ask(backed(), { stream: true }, 'buffered');
      if (isFinal) expectNothing(answered, status, code);
      else expectWhole(answered, 'b', true);
    });

    const whole = row.whole ?? {};
    if (whole === 'ok') return;

    it('no stream, one target', async () => {
      expectNothing(await ask(alone(), {}, 'passthrough'), whole.status ?? status, whole.code ?? code);
      expect(a.count()).toBe(whole.tries ?? tries);
    });

    it('no stream, two targets', async () => {
      const answered = await ask(backed(), {}, 'passthrough');
      if (isFinal) expectNothing(answered, status, code);
      else expectWhole(answered, 'b', false);
    });
  });

  describe.each(WHOLE_ONLY)('$row', ({ model, status, code, tries = 1 }) => {
    it('one target', async () => {
      expectNothing(await ask([{ fake: a, model }], {}, 'passthrough'), status, code);
      expect(a.count()).toBe(tries);
    });

    it('two targets', async () => {
      const targets = [
        { fake: a, model },
        { fake: b, model: 'ok', priority: 1 },
      ];
      expectWhole(await ask(targets, {}, 'passthrough'), 'b', false);
    });
  });

  describe.each([
    ['stream', { stream: true }],
    ['no stream', {}],
  ])('1 refused, %s', (_, fields) => {
    it('is an error of the only target', async () => {
      expectNothing(await ask([{ fake: DEAD, model: 'ok' }], fields, 'passthrough'), 502, 'upstream_unreachable');
    });

    it('is not seen when there is another', async () => {
      const targets = [
        { fake: DEAD, model: 'ok' },
        { fake: b, model: 'ok', priority: 1 },
      ];
      expectWhole(await ask(targets, fields, 'passthrough'), 'b', 'stream' in fields);
    });
  });

  describe.each(['passthrough', 'buffered'] as const)('whole answers that are odd, %s', (guard) => {
    it.each([
      ['16 broken frame without text', 'broken-frame@3', 'malformed_frame'],
      ['18 [DONE] missing, silence', 'no-done', 'done_missing'],
      ['18 [DONE] missing, clean end', 'no-done-end', 'done_missing'],
      ['20 JSON for a stream', 'other-form', 'not_streamed'],
    ])('%s', async (_, model, oddity) => {
      const answered = await ask([{ fake: a, model }], { stream: true }, guard);
      expectWhole(answered, 'a', true);
      expect(answered.outcome.oddities).toEqual([oddity]);
      expect(answered.outcome.usage).toMatchObject({ completionTokens: 9, source: 'upstream' });
    });

    it('18 bytes after [DONE] are dropped and their connection closed', async () => {
      const answered = await ask([{ fake: a, model: 'late-bytes' }], { stream: true }, guard);
      expectWhole(answered, 'a', true);
      expect(answered.sink.text).not.toContain('"late"');
      while (!a.requests[0]?.isOver) await new Promise((resolve) => setTimeout(resolve, 5));
      expect(a.requests[0].abortedAtMs).not.toBeNull();
    });
  });
});

/** What is forwarded before the fault: the first tokens; of a lost frame all others, too. */
function textOf({ model, tokens = 0 }: Row): string {
  const all = answerOf('a').split(/(?= )/);
  if (model.startsWith('lost-frame')) return all.filter((_, index) => index !== 3).join('');
  return all.slice(0, tokens).join('');
}
