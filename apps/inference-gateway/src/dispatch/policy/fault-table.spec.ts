import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import type { AnswerOutcome } from '../answer/outcome.js';
import { answerOf, AnswerRig, type Asked, type RigTarget, SOON_SILENT } from '../answer-rig.fixture.js';
import { FAULT_ROWS, forwardedText, ODD_ROWS, WHOLE_FAULT_ROWS } from './fault-rows.fixture.js';
import type { Limits } from './limits.js';

/** Short is only the silence that a model is made for. */
function limitsOf(model: string): Partial<Limits> {
  if (/^(silent|headers-only)/.test(model)) return SOON_SILENT;
  if (model.startsWith('stall')) return { stallMs: 400 };
  return /^no-done(\+|$)/.test(model) ? { doneGraceMs: 150 } : {};
}

/** A port on which nobody listens. */
const DEAD = 'http://127.0.0.1:1/v1';

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
    const patient = targets.map((target) => ({ ...target, limits: limitsOf(target.model) }));
    const rig = new AnswerRig(patient, { guard, health: { breakerFailures: 99 } });
    const asked = rig.ask({ ...fields });
    const outcome = await asked.outcome;
    await rig.close();
    return { ...asked, outcome };
  };
  type Answered = Omit<Asked, 'outcome'> & { outcome: AnswerOutcome };

  const expectWhole = ({ sink, outcome }: Answered, name: string, isStream: boolean) => {
    expect(sink.state).toBe('ended');
    expect(sink.content()).toEqual(answerOf(name));
    expect(outcome.status).toBe('ok');
    if (isStream) expect(sink.isDone).toBe(true);
    expect(sink.settled).toHaveLength(1);
  };
  const expectNothing = ({ sink, outcome }: Answered, status: number, code: string) => {
    expect(sink.state).toBe('open');
    expect(sink.headers).toBeNull();
    expect(sink.text).toBe('');
    expect(outcome).toMatchObject({ status: 'failed', isCommitted: false, failure: { status, code } });
    expect(sink.settled).toEqual([]);
  };
  const expectFailureFrame = ({ sink, outcome }: Answered, code: string, content: string) => {
    expect(sink.state).toBe('failed');
    expect(sink.content()).toEqual(content);
    expect(sink.frames().at(-1)).toMatchObject({ error: { code } });
    expect(sink.text).not.toContain('[DONE]');
    expect(sink.text).not.toMatch(/"finish_reason":"[^"]/);
    expect(outcome).toMatchObject({ status: 'failed', isCommitted: true });
    expect(sink.settled).toEqual([]);
  };

  describe.each(FAULT_ROWS)('$row', (row) => {
    const { model, status, code, streamCode, tokens = 0, tries = 1, isFinal = false } = row;
    const alone = (fake = a): RigTarget[] => [{ fake, model }];
    const backed = (): RigTarget[] => [...alone(), { fake: b, model: 'ok', priority: 1 }];
    const isLate = streamCode !== undefined && tokens > 0;

    it('passthrough, one target', async () => {
      const answered = await ask(alone(), { stream: true }, 'passthrough');
      if (isLate) expectFailureFrame(answered, streamCode, forwardedText(row));
      else expectNothing(answered, status, code);
      expect(a.count()).toBe(isLate ? 1 : tries);
    });

    it('passthrough, two targets', async () => {
      const answered = await ask(backed(), { stream: true }, 'passthrough');
      if (isLate) expectFailureFrame(answered, streamCode, forwardedText(row));
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

  describe.each(WHOLE_FAULT_ROWS)('$row', ({ model, status, code, tries = 1 }) => {
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
    it.each(ODD_ROWS)('$row', async ({ model, oddities }) => {
      const answered = await ask([{ fake: a, model }], { stream: true }, guard);
      expectWhole(answered, 'a', true);
      expect(answered.outcome.oddities).toEqual(oddities);
      expect(answered.outcome.usage).toMatchObject({ completionTokens: 9, source: 'upstream' });
      expect(answered.outcome.attempts).toHaveLength(1);
    });

    it('18 bytes after [DONE] are dropped and their connection closed', async () => {
      const answered = await ask([{ fake: a, model: 'late-bytes' }], { stream: true }, guard);
      expectWhole(answered, 'a', true);
      expect(answered.sink.text).not.toContain('"late"');
      await until(() => a.requests[0]?.isOver, 'the end of the connection');
      expect(a.requests[0]?.abortedAtMs).not.toBeNull();
    });
  });
});
