import type { TrainingDataDto } from '@hone/contracts';

import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { type ACall, SourceCalls } from './source-calls.fixture.js';

const PATH = '/v1/preview/training-data/from-calls';

let app: TrainingApp;
let calls: SourceCalls;
let modelId: string;
let made = 0;
beforeAll(async () => {
  app = await startTrainingApp();
  modelId = await createModel(app.caller);
  calls = await SourceCalls.of(app);
});
afterAll(() => app.close());

const make = async (ids: string[], body: object): Promise<TrainingDataDto> => {
  const source = { filter: { call_ids: ids } };
  const response = await app.caller.post(PATH, { entity: 'acme', project: 'p', name: `p-${made++}`, source, ...body });
  expect([response.status, response.text.slice(0, 500)]).toEqual([200, expect.any(String)]);
  return response.json();
};

async function linesOf({ splits }: TrainingDataDto): Promise<unknown[]> {
  const [, path] = /^hone-artifact:\/\/\/(.*)$/.exec(splits?.['train'] ?? '') ?? [];
  const [artifact, file] = (path ?? '').split(/\/(?=[^/]*$)/);
  const response = await app.caller.get(`/v1/preview/artifacts/${artifact?.replace(':v', '/v')}/files/${file}`);
  expect(response.status).toBe(200);
  return response.text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const says = (content: string) => ({ role: 'assistant', content });
const pair = (prompt: string, chosen: string, rejected: string) => ({
  messages: [{ role: 'user', content: prompt }],
  chosen: says(chosen),
  rejected: says(rejected),
});
const reasonsOf = ({ skipped }: TrainingDataDto) =>
  Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]));
const refOf = (id: string | undefined) => `hone:///acme/p/call/${id}`;
const answers = (prompt: string, ...thumbs: [string, ACall['thumb']][]): ACall[] =>
  thumbs.map(([answer, thumb]) => ({ prompt, answer, thumb }));

describe('POST /v1/preview/training-data/from-calls of preferences', () => {
  it('pairs corrections, what people compared, and answers with different thumbs', async () => {
    const ids = await calls.add(
      { prompt: 'a', answer: 'x', correction: 'A' },
      ...answers('b', ['b1', null], ['b2', null]),
      ...answers('c', ['c1', 0], ['c2', 1], ['c3', 1]),
      { prompt: 'd', answer: 'd1', thumb: 1 },
    );
    await calls.judge(ids[2]!, {
      feedbackType: 'hone.preference.1',
      payload: { chosen: refOf(ids[2]), rejected: refOf(ids[1]) },
    });
    const data = await make(ids, { kind: 'preference' });
    expect(await linesOf(data)).toEqual([pair('a', 'A', 'x'), pair('b', 'b2', 'b1'), pair('c', 'c2', 'c1')]);
    expect(data.counts).toMatchObject({ calls: 7, used: 5, lines: 3 });
    expect(reasonsOf(data)).toEqual({ no_preference: 2 });
    const all = await make(ids, { kind: 'preference', pairs: 'all' });
    expect(await linesOf(all)).toContainEqual(pair('c', 'c3', 'c1'));
    const corrected = await make(ids, { kind: 'preference', corrections: 'only' });
    expect(await linesOf(corrected)).toEqual([pair('a', 'A', 'x')]);
  });

  it('makes no pair of answers that are equal, or whose rewards are too near', async () => {
    const ids = await calls.add(...answers('e', ['same', 1], ['same', 0]), {
      prompt: 'e2',
      answer: 'y',
      correction: 'z',
    });
    expect(await linesOf(await make(ids, { kind: 'preference' }))).toEqual([pair('e2', 'z', 'y')]);
    const rated = await calls.add({ prompt: 'f', answer: 'f1' }, { prompt: 'f', answer: 'f2' });
    for (const [at, quality] of [0.4, 0.6].entries()) {
      await calls.judge(rated[at]!, { feedbackType: 'x', scorerRatings: { quality } });
    }
    const body = { kind: 'preference', reward: [{ rating: 'quality' }], dry_run: true };
    expect((await make(rated, { ...body, min_gap: 0.1 })).counts.lines).toBe(1);
    expect((await make(rated, { ...body, min_gap: 0.3 })).counts.lines).toBe(0);
  });

  it('makes an answer with a label of each thumb, of any model', async () => {
    const ids = await calls.add(
      { prompt: 'a', answer: 'A', thumb: 1 },
      { prompt: 'a', answer: 'B', thumb: 0 },
      { prompt: 'c' },
    );
    const data = await make(ids, { kind: 'thumbs', model_id: modelId });
    const messages = [{ role: 'user', content: 'a' }];
    expect(await linesOf(data)).toEqual([
      { messages, completion: says('A'), label: true },
      { messages, completion: says('B'), label: false },
    ]);
    expect(reasonsOf(data)).toEqual({ no_reward: 1 });
    expect(data.diagnosis).toMatchObject({ ok: true, num_sequences: 1 });
  });

  it('keeps the best answer of a prompt', async () => {
    const ids = await calls.add(...answers('g', ['g1', 0], ['g2', 1], ['g3', 1]), ...answers('h', ['h1', 1]));
    const data = await make(ids, { kind: 'best_of' });
    expect(await linesOf(data)).toEqual([{ messages: [{ role: 'user', content: 'g' }, says('g2')] }]);
    expect(reasonsOf(data)).toEqual({ not_best: 2, small_group: 1 });
  });

  it('distills one answer of a prompt, a corrected one first', async () => {
    const ids = await calls.add(
      { prompt: 'i', answer: 'i1', thumb: 1 },
      { prompt: 'i', answer: 'i2', correction: 'better' },
      { prompt: 'j', answer: 'j1' },
    );
    const data = await make(ids, { kind: 'distill' });
    expect(await linesOf(data)).toEqual([
      { messages: [{ role: 'user', content: 'i' }, says('better')] },
      { messages: [{ role: 'user', content: 'j' }, says('j1')] },
    ]);
    expect(reasonsOf(data)).toEqual({ duplicate: 1 });
    expect(data.coverage).toBeNull();
  });

  it('tells what share of the traffic of the last day a distilled model could take over', async () => {
    for (const [model, requests, cost] of [
      ['large', 30, 9_000_000_000],
      ['other', 10, 1_000_000_000],
    ] as const) {
      await app.sql(
        `INSERT INTO usage_hours (project_id, hour, model, key_id, requests, errors, aborted, prompt_tokens, cached_tokens,
           completion_tokens, reasoning_tokens, cost_nano_usd)
         VALUES ($1, date_trunc('hour', now()), $2, $1, $3, 0, 0, 0, 0, 0, 0, $4)`,
        [calls.projectRowId, model, requests, cost],
      );
    }
    const inputs = { model: 'large', messages: [{ role: 'user', content: 'k' }] };
    const ids = await calls.add({ inputs, output: 'yes' });
    expect((await make(ids, { kind: 'distill' })).coverage).toEqual({
      models: ['large'],
      requests: 30,
      share_of_requests: 0.75,
      cost_usd: 9,
      share_of_cost: 0.9,
    });
  });

  describe('without a kind', () => {
    const propose = async (...given: ACall[]) => {
      const { kind, reason } = await make(await calls.add(...given), { dry_run: true });
      return [kind, reason];
    };
    const many = (count: number, of: (at: number) => ACall) => Array.from({ length: count }, (_, at) => of(at));

    it('proposes thumbs for one judgement on each of many questions', async () => {
      expect(await propose(...many(60, (at) => ({ prompt: `q${at}`, thumb: at % 3 === 0 ? 0 : 1 })))).toEqual([
        'thumbs',
        'Of 60 calls 0 in groups with different rewards and token ids of a model (rl), 0 in pairs of a better and a worse ' +
          'answer (preference), 60 liked or disliked by themselves (thumbs): thumbs uses most of them.',
      ]);
    });

    it('proposes thumbs where the answers to each question are judged alike', async () => {
      const [kind] = await propose(
        ...many(100, (at) => ({
          prompt: `r${at % 10}`,
          thumb: at % 10 < 5 ? 1 : 0,
          modelId,
          tokens: { prompt: [10], answer: [11] },
        })),
      );
      expect(kind).toBe('thumbs');
    });

    it('proposes pairs where every call is in one, and fine-tuning where nothing is judged', async () => {
      expect(
        (await propose(...many(20, (at) => ({ prompt: `s${at >> 1}`, answer: `${at}`, thumb: (at % 2) as 0 | 1 }))))[0],
      ).toBe('preference');
      expect((await propose(...many(3, (at) => ({ prompt: `t${at}` }))))[0]).toBe('sft');
      expect((await propose(...many(3, (at) => ({ prompt: `u${at}`, thumb: 1 }))))[0]).toBe('sft');
    });
  });
});
