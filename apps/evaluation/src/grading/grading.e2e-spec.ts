import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';

const GRADE = '/evaluation/scorers/grade';
const EXACT = { kind: 'check', check: { check: 'exact', reference: 'inputs.expected' } };
const JUDGE = {
  kind: 'llm',
  llm: {
    model: 'judge',
    messages: [{ role: 'user', content: '{{inputs.topic}}: {{output}}' }],
    ratings: [{ name: 'helpful', min: 1, max: 5 }],
    tags: [{ name: 'polite' }],
  },
};

describe('POST /evaluation/scorers/grade', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url })),
      {},
      { isOwn: true },
    );
    client = app.as(app.writer);
    project = await JudgedProject.of(app);
    await project.addScorer('right', EXACT);
    await project.addScorer('helpful', JUDGE);
  });
  beforeEach(() => gateway.reset());
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });

  const grade = (body: object) => client.post(GRADE, { project_id: PROJECT, ...body });
  const rewardsOf = async (body: object): Promise<unknown[]> =>
    (await grade(body)).json().grades.map(({ reward }: { reward: number | null }) => reward);

  it('grades by a check, with the version that it used', async () => {
    const { status, json } = await grade({
      scorers: [{ scorer: 'right' }],
      inputs: { expected: 'cold' },
      answers: [{ output: 'cold' }, { output: 'warm' }, { output: 'warm', inputs: { expected: 'warm' } }],
    });
    expect(status).toBe(200);
    expect(json()).toMatchObject({
      scorers: [{ scorer: expect.stringMatching(/\/object\/right:/), criterion: 'passed', weight: 1 }],
      ...{ cost_usd: 0, graded: 3 },
    });
    expect(json().grades.map(({ reward }: { reward: number }) => reward)).toEqual([1, 0, 1]);
    expect(json().grades[0].verdicts).toEqual([
      {
        ...{ state: 'done', code: null, retryable: false, score: 1, ratings: { passed: 1 } },
        ...{ tags: ['passed'], reason: null, cost_usd: 0 },
      },
    ]);
  });

  it('weighs several, ratings on their scale', async () => {
    gateway.reply = () => JSON.stringify({ reason: 'x', helpful: 4, polite: true });
    const answers = [{ output: 'warm', inputs: { topic: 'hot', expected: 'cold' } }];
    const scorers = [{ scorer: 'right' }, { scorer: 'helpful', weight: 3 }, { scorer: 'helpful', criterion: 'polite' }];
    expect(await rewardsOf({ scorers, answers })).toEqual([(0 + 3 * 0.75 + 1) / 5]);
  });

  it('takes drafts, and sums what judges cost', async () => {
    gateway.reply = () => JSON.stringify({ reason: 'x', helpful: 1, polite: false });
    const { json } = await grade({
      scorers: [{ definition: JUDGE }],
      answers: [{ output: 'a', inputs: { topic: 't' } }],
    });
    expect(json()).toMatchObject({ scorers: [{ scorer: null, criterion: 'helpful' }], cost_usd: 0.001 });
    expect(json().grades).toMatchObject([{ reward: 0 }]);
  });

  it('makes up no reward where a scorer has no verdict', async () => {
    gateway.reply = () => 'nonsense';
    const { json } = await grade({
      scorers: [{ scorer: 'right' }, { scorer: 'helpful' }],
      answers: [{ output: 'cold', inputs: { topic: 't', expected: 'cold' } }, { output: 'cold' }],
    });
    expect(json()).toMatchObject({ graded: 0 });
    const codes = json().grades.map(({ verdicts }: { verdicts: { code: string | null }[] }) =>
      verdicts.map(({ code }) => code),
    );
    expect(codes).toEqual([
      [null, 'judge_answered_nonsense'],
      ['missing_reference', 'missing_inputs'],
    ]);
  });

  it('says which failures may be gone later', async () => {
    gateway.reply = () => ({ status: 503, code: 'busy' });
    const { json } = await grade({
      scorers: [{ scorer: 'helpful' }],
      answers: [{ output: 'a', inputs: { topic: 't' } }],
    });
    expect(json().grades[0].verdicts[0]).toMatchObject({ state: 'failed', code: 'busy', retryable: true });
  });

  it('checks scorers alone where there are no answers', async () => {
    const { status, json } = await grade({ scorers: [{ scorer: 'right' }], answers: [] });
    expect([status, json().grades, gateway.asked]).toEqual([200, [], []]);
  });

  it.each([
    ['no scorer', { scorers: [] }, ['scorers']],
    ['a scorer without a name', { scorers: [{}] }, ['scorers', 0, 'scorer']],
    ['both', { scorers: [{ scorer: 'right', definition: EXACT }] }, ['scorers', 0, 'definition']],
    ['six scorers', { scorers: Array(6).fill({ scorer: 'right' }) }, ['scorers']],
    ['an unknown criterion', { scorers: [{ scorer: 'helpful', criterion: 'x' }] }, ['scorers', 0, 'criterion']],
    ['a weight of 0', { scorers: [{ scorer: 'right', weight: 0 }] }, ['scorers', 0, 'weight']],
    [
      'a check of stored calls',
      { scorers: [{ definition: { kind: 'check', check: { check: 'latency', max: 1 } } }] },
      ['scorers', 0, 'definition', 'check'],
    ],
    ['201 answers', { answers: Array(201).fill({ output: 'a' }) }, ['answers']],
    ['inputs that are none', { answers: [{ output: 'a', inputs: 'b' }] }, ['answers', 0, 'inputs']],
  ])('refuses %s', async (_name, body, loc) => {
    const { status, json } = await grade({ scorers: [{ scorer: 'right' }], answers: [], ...body });
    expect([status, json().detail[0].loc]).toEqual([422, ['body', ...loc]]);
  });

  it('knows scorers of the own project alone', async () => {
    const other = await app.user('olga', { roles: { others: 'writer' } });
    await JudgedProject.of(app, 'others/demo');
    const answer = await app.as(other).post(GRADE, {
      ...{ project_id: 'others/demo', scorers: [{ scorer: 'right' }], answers: [] },
    });
    expect([answer.status, answer.json().code]).toEqual([404, 'scorer.not_found']);
    const foreign = await app
      .as(other)
      .post(GRADE, { project_id: PROJECT, scorers: [{ scorer: 'right' }], answers: [] });
    expect([foreign.status, foreign.json().code]).toEqual([403, 'access.denied']);
  });
});
