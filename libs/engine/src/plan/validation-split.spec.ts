import { planSft } from './plan-sft.js';
import { assistant, LETTERS, user } from './planning.fixture.js';
import { resolveSftConfig, type SftConfigInput } from './sft-config.js';
import { validationInterval } from './validation-split.js';

const pair = (answer: string) => JSON.stringify({ messages: [user('?'), assistant(answer)] });
const LINES = [...'abcdefghij'].map(pair);
const plan = (config: SftConfigInput, lines = LINES, validation: string[] | null = null) =>
  planSft(
    lines,
    resolveSftConfig({ batch_size: 1, ...config }),
    { tokenizer: LETTERS, contextLength: 100 },
    validation,
  );
const idsOf = (sequences: readonly { ids: readonly number[] }[]) => sequences.map(({ ids }) => JSON.stringify(ids));

describe('validation lines of a plan', () => {
  it('are a share of the file, drawn by the seed; the others keep their order', async () => {
    const whole = idsOf((await plan({})).rows.flatMap(({ sequences }) => sequences));
    const { rows, validation, counts, digest } = await plan({ validation_fraction: 0.3 });
    const [trained, held] = [idsOf(rows.flatMap(({ sequences }) => sequences)), idsOf(validation)];
    expect([trained.length, held.length]).toEqual([7, 3]);
    expect(trained).toEqual(whole.filter((ids) => !held.includes(ids)));
    expect(counts).toMatchObject({ trajectories: 10, trajectoriesTrained: 7, dropped: { validation: 3 } });
    expect((await plan({ validation_fraction: 0.3 })).digest).toBe(digest);
    expect((await plan({ validation_fraction: 0.3, seed: 1 })).digest).not.toBe(digest);
    expect(idsOf((await plan({ validation_fraction: 0.3, n_epochs: 2 })).validation)).toEqual(held);
  });

  it('are at least one, and leave at least one', async () => {
    expect((await plan({ validation_fraction: 1e-9 })).validation).toHaveLength(1);
    expect((await plan({ validation_fraction: 0.5 }, LINES.slice(0, 2))).rows).toHaveLength(1);
    await expect(plan({ validation_fraction: 0.5 }, LINES.slice(0, 1))).rejects.toMatchObject({
      code: 'data.validation_empty',
      hint: expect.any(String),
    });
  });

  it('are part of the digest of a plan, which is as before without them', async () => {
    const { rows, digest } = await plan({});
    expect((await plan({}, LINES)).digest).toBe(digest);
    expect(rows).toHaveLength(10);
  });

  it('may have a file of their own, whose bad lines are named', async () => {
    const { rows, validation, counts } = await plan({}, LINES, ['', ...LINES.slice(0, 2)]);
    expect(rows).toHaveLength(10);
    expect(idsOf(validation)).toEqual(idsOf(rows.slice(0, 2).flatMap(({ sequences }) => sequences)));
    expect(counts).toMatchObject({ trajectories: 10, trajectoriesTrained: 10, dropped: {} });
    await expect(plan({}, LINES, [LINES[0]!, '{}'])).rejects.toMatchObject({
      code: 'data.bad_line',
      message: expect.stringMatching(/at line 2 of the validation data\.$/),
      locs: [['validation', 'line', 2]],
    });
    await expect(plan({}, LINES, [])).rejects.toMatchObject({ code: 'data.validation_empty' });
  });

  it('fit the context, and have something to evaluate', async () => {
    const long = pair('x'.repeat(200));
    await expect(plan({ validation_fraction: 0.5 }, [long, long])).rejects.toMatchObject({
      code: 'data.validation_empty',
    });
  });
});

describe('validationInterval', () => {
  it('is every step for small sets, and bounded work for large ones', () => {
    expect([1, 256, 257, 2_560].map((lines) => validationInterval(null, lines))).toEqual([1, 1, 2, 10]);
    expect(validationInterval(7, 10_000)).toBe(7);
  });
});
