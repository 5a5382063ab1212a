import type { APrediction } from '../testing/evaluation-runs.fixture.js';
import { Gates } from './gates.fixture.js';

const LONG = 'Where in the whole wide world did my blue parcel of last Monday go to';
const pad = (text: string, length = 120): string => text.padEnd(length, ' and so on');

/** What a candidate does that is better at the metric, and the guard that names it. */
const CHEATS: Readonly<Record<string, { readonly [Side in 0 | 1]: Partial<APrediction> }>> = {
  length: { 0: { output: 'x'.repeat(100) }, 1: { output: 'x'.repeat(200) } },
  slow: { 0: { latencyMs: 500 }, 1: { latencyMs: 5_000 } },
  refusals: { 0: { output: pad('It left') }, 1: { output: pad('I’m sorry, I cannot help. '.replace('’', "'")) } },
  praise: { 0: { output: pad('It left') }, 1: { output: pad('What a great question!') } },
  bullets: { 0: { output: pad('It left') }, 1: { output: pad('- It left\n- It is on its way\n') } },
  copies: { 0: { output: pad('It left') }, 1: { output: pad(LONG) } },
};

describe('guards of gates', () => {
  const gates = new Gates();
  beforeAll(() => gates.start());
  beforeEach(() => gates.reset());
  afterAll(() => gates.app.close());

  const cheat = (name: string, body: object = {}) =>
    gates.compare([0.4, 0.8], body, (row, side) => ({
      inputs: { question: `${LONG}, number ${row}?` },
      ...CHEATS[name]?.[side],
    }));

  it.each(Object.keys(CHEATS))('reject a candidate that is better by %s, and name it', async (name) => {
    const gate = await cheat(name);
    expect(gate).toMatchObject({ verdict: 'reject', reason: 'guard_broken', reason_guards: [name] });
    expect(gate.sentence).toContain(`'${name}' became worse than is accepted`);
    expect(gate.guards.find((guard) => guard.name === name)?.state).toBe('broken');
  });

  it.each(Object.keys(CHEATS))('let it pass where %s is left out', async (name) => {
    const gate = await cheat(name, { without_guards: [name] });
    expect(gate).toMatchObject({ verdict: 'promote', reason: 'gain' });
    expect(gate.guards.map((guard) => guard.name)).not.toContain(name);
  });

  it('reject a candidate that fails more often', async () => {
    const gate = await gates.compare([0.2, 0.8], {}, (row, side) =>
      side === 1 && row % 4 === 0 ? { exception: 'timed out' } : {},
    );
    expect(gate).toMatchObject({ verdict: 'reject', reason: 'guard_broken', reason_guards: ['failed'] });
  });

  it('take no answer for a copy that says what the row expects', async () => {
    const gate = await gates.compare([0.4, 0.8], {}, (row, side) => ({
      inputs: { question: `Where is parcel ${row}?`, expected: LONG },
      output: side === 1 ? LONG : 'x'.repeat(LONG.length),
    }));
    expect(gate).toMatchObject({ verdict: 'promote', reason: 'gain' });
  });

  it('look at other scores, too, each in its own unit', async () => {
    const gate = await gates.compare([0.4, 0.8], { guards: { 'scores.polite': 0.5 } }, (_row, side) => ({
      scores: { polite: side === 1 ? 3 : 5 },
    }));
    expect(gate).toMatchObject({ verdict: 'reject', reason_guards: ['scores.polite'] });
    expect(gate.guards.find(({ name }) => name === 'scores.polite')).toMatchObject({
      margin: 0.5,
      needs_proof: true,
      loss: { estimate: 2 },
    });
  });

  it('keep a candidate back of which nobody knows what is asked', async () => {
    const gate = await gates.compare([0.4, 0.8], { guards: { cost_usd: 0.1 } });
    expect(gate).toMatchObject({ verdict: 'undecided', reason: 'guard_undefined', reason_guards: ['cost_usd'] });
  });

  it('keep one back of which it is not proven that it holds', async () => {
    const gate = await gates.compare([0.4, 0.8], { guards: { bullets: 0.01 } });
    expect(gate).toMatchObject({ verdict: 'undecided', reason: 'guard_unproven', reason_guards: ['bullets'] });
  });

  it('say that the reward is being hacked where it gains more than the metric', async () => {
    const gate = await gates.compare([0.4, 0.8], { reward: { metric: 'scores.reward' } }, (_row, side) => ({
      scores: { reward: side },
    }));
    expect(gate).toMatchObject({
      verdict: 'reject',
      reason: 'reward_hacked',
      reason_guards: ['reward scores.reward'],
    });
    expect(gate.sentence).toContain('the reward is being hacked');
  });
});
