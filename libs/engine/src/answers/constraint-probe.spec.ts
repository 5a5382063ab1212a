import type { GenerationEvent } from '../decode/batch/generation-event.js';
import { EngineError } from '../errors.js';
import { ConstraintProbe } from './constraint-probe.js';

const SOURCE = { kind: 'regex' as const, pattern: 'a' };

/** A probe of an engine that always ends so, and how often it was asked. */
function aProbe(error: EngineError | null) {
  const asked = { count: 0 };
  const probe = new ConstraintProbe(async function* (): AsyncGenerator<GenerationEvent, void, undefined> {
    asked.count += 1;
    await Promise.resolve();
    if (error !== null) throw error;
    yield* [];
  });
  return { probe, asked };
}

describe('ConstraintProbe', () => {
  it.each([
    ['compiles', null, null],
    ['is not valid', new EngineError('engine.constraint_invalid', 'No.'), 'No.'],
    ['takes too long', new EngineError('engine.constraint_timeout', 'Late.'), 'Late.'],
  ])('asks the engine once for a constraint that %s, also when many ask at once', async (_, error, reason) => {
    const { probe, asked } = aProbe(error);
    const together = await Promise.all([1, 2, 3].map(() => probe.reasonAgainst(SOURCE, 0)));
    expect([...together, await probe.reasonAgainst({ ...SOURCE }, 5)]).toEqual(Array(4).fill(reason));
    expect(asked.count).toBe(1);
    await probe.reasonAgainst({ ...SOURCE, pattern: 'b' }, 0);
    expect(asked.count).toBe(2);
  });

  it('remembers nothing when the engine fails for another reason', async () => {
    const { probe, asked } = aProbe(new EngineError('engine.crashed', 'Gone.'));
    expect([await probe.reasonAgainst(SOURCE, 0), await probe.reasonAgainst(SOURCE, 0)]).toEqual([null, null]);
    expect(asked.count).toBe(2);
  });
});
