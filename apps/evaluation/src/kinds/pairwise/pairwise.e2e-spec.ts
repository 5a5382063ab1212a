import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../../evaluation.module.js';
import { type AskedJudge, FakeGateway, type JudgeReply } from '../../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../../testing/judged-project.fixture.js';
import { VerdictWorker } from '../../verdicts/verdict-worker.js';

const answer = (better: number, reason = 'so') => JSON.stringify({ reason, better });

/** A judge that takes the longer of the two answers for the better one, wherever it stands. */
function longer({ body }: AskedJudge): string {
  const [, first, second] = /1: (.*)\n2: (.*)/.exec(body.messages[0]?.content ?? '') as unknown as [
    string,
    string,
    string,
  ];
  return answer(first.length === second.length ? 0 : first.length > second.length ? 1 : 2, `${first} or ${second}`);
}

describe('scorers of the kind pairwise', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    const config = { gatewayUrl: gateway.url };
    app = await startTestApp(
      EvaluationModule.forRoot(() => config),
      {},
      { isOwn: true },
    );
    client = app.as(app.writer);
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
  });
  beforeEach(async () => {
    gateway.reset();
    gateway.reply = longer;
    await app.sql('TRUNCATE verdicts, scorings, feedback, calls, call_values, object_heads, object_versions');
    project = await JudgedProject.of(app);
  });

  const definition = (more: object = {}) => ({
    kind: 'pairwise',
    pairwise: {
      model: 'judge',
      messages: [{ role: 'user', content: '{{messages}}\n1: {{first}}\n2: {{second}}' }],
      against: 'inputs.expected',
      ...more,
    },
  });
  const inputs = (expected?: string) => ({
    messages: [{ role: 'user', content: 'The opposite of hot?' }],
    ...(expected !== undefined && { expected }),
  });
  const attempt = async (calls: readonly string[], more: object = {}) => {
    const body = { project_id: PROJECT, call_ids: calls, definition: definition(more) };
    return (await client.post('/evaluation/scorers/try', body)).json();
  };
  const score = async (calls: readonly string[], maxCostUsd?: number) => {
    const body = { project_id: PROJECT, scorer: 'better', call_ids: calls, max_cost_usd: maxCostUsd ?? null };
    const { id } = (await client.post('/evaluation/scorings', body)).json();
    await app.app.get(VerdictWorker).run();
    return (await client.get(`/evaluation/scorings/${id}`)).json();
  };

  it('ask in both orders, by a strict schema, and find a win where both agree', async () => {
    const [call] = await project.addCalls({ inputs: inputs('ice'), output: 'It is cold.' });
    const { verdicts, cost_usd } = await attempt([call as string], { description: 'What says more.' });
    expect(verdicts[0]).toMatchObject({ state: 'done', ratings: { win: 1 }, tags: [] });
    expect(
      verdicts[0].details.orders.map(({ first, better, reason }: Record<string, string>) => [first, better, reason]),
    ).toEqual([
      ['call', 'call', 'It is cold. or ice'],
      ['other', 'call', 'ice or It is cold.'],
    ]);
    expect(cost_usd).toBeCloseTo(0.002, 9);
    expect(gateway.asked).toHaveLength(2);
    expect(new Set(gateway.asked.map(({ requestId }) => requestId)).size).toBe(2);
    const [asked] = gateway.asked;
    expect(asked?.body.response_format.json_schema.schema).toMatchObject({
      properties: { better: { type: 'integer', enum: [0, 1, 2] } },
      additionalProperties: false,
    });
    expect(Object.keys((asked?.body.response_format.json_schema.schema as { properties: object }).properties)[0]).toBe(
      'reason',
    );
    expect(asked?.body.messages.at(-1)?.content).toContain('What says more.');
    expect(asked?.body.messages[0]?.content).toMatch(/^user: The opposite of hot\?/);
  });

  it('call a tie what the orders disagree about, and say so', async () => {
    gateway.reply = () => answer(1);
    const [call] = await project.addCalls({ inputs: inputs('ice'), output: 'cold' });
    const { verdicts } = await attempt([call as string]);
    expect(verdicts[0]).toMatchObject({ ratings: { win: 0.5 }, tags: ['flipped'] });
  });

  it('compare with what another call answered, where its ref is given', async () => {
    const [other] = await project.addCalls({ output: 'A much longer answer than the other one.' });
    const ref = `hone:///${PROJECT}/call/${other}`;
    const [call, gone] = await project.addCalls(
      { inputs: inputs(ref), output: 'cold' },
      { inputs: inputs(`hone:///${PROJECT}/call/none`), output: 'cold' },
    );
    const { verdicts } = await attempt([call as string, gone as string]);
    expect(verdicts[0].ratings).toEqual({ win: 0 });
    expect(verdicts[1]).toMatchObject({ state: 'skipped', code: 'missing_against' });
  });

  it('take the ref of a call of another project for an answer, and read nothing there', async () => {
    const elsewhere = await JudgedProject.of(app, 'acme/elsewhere');
    const [other] = await elsewhere.addCalls({
      id: 'elsewhere',
      output: 'A secret that is much longer than the answer.',
    });
    const [call] = await project.addCalls({ inputs: inputs(`hone:///acme/elsewhere/call/${other}`), output: 'cold' });
    await attempt([call as string]);
    for (const { body } of gateway.asked) expect(JSON.stringify(body)).not.toContain('A secret');
  });

  it('skip calls that have nothing to compare, at no cost', async () => {
    const calls = await project.addCalls({ inputs: inputs(), output: 'cold' }, { inputs: inputs('ice'), output: null });
    const { verdicts } = await attempt(calls);
    expect(verdicts.map(({ state, code }: Record<string, string>) => [state, code])).toEqual([
      ['skipped', 'missing_against'],
      ['skipped', 'missing_output'],
    ]);
    expect(gateway.asked).toEqual([]);
  });

  it('store a verdict once, as feedback with what was answered in each order', async () => {
    await project.addScorer('better', definition());
    const calls = await project.addCalls(
      { inputs: inputs('ice'), output: 'It is cold.' },
      { inputs: inputs('ice cold'), output: 'ice' },
    );
    expect(await score(calls)).toMatchObject({ status: 'done', counts: { done: 2 }, cost_usd: 0.004 });
    expect(await score(calls)).toMatchObject({ status: 'done', counts: { judged_before: 2 } });
    const [won, lost] = await project.feedback();
    expect(won).toMatchObject({ type: 'hone.runnable.better', ratings: { win: 1 }, tags: [] });
    expect(lost).toMatchObject({ ratings: { win: 0 } });
    expect(won?.payload).toMatchObject({
      output: { win: 1, reason: 'It is cold. or ice', orders: [{ first: 'call', better: 'call' }, { first: 'other' }] },
    });
    expect(gateway.asked).toHaveLength(4);
  });

  it.each<[string, JudgeReply, string]>([
    ['nonsense', 'neither', 'judge_answered_nonsense'],
    ['a number beyond the scale', answer(3), 'judge_answered_nonsense'],
    ['a refusal', { status: 404, code: 'model_not_found' }, 'model_not_found'],
  ])('make no verdict up of %s', async (_what, reply, code) => {
    gateway.reply = () => reply;
    const [call] = await project.addCalls({ inputs: inputs('ice') });
    const { verdicts } = await attempt([call as string]);
    expect(verdicts[0]).toMatchObject({ state: 'failed', code, ratings: {} });
  });

  it('end when the budget is spent', async () => {
    await project.addScorer('better', definition());
    const calls = await project.addCalls(...Array.from({ length: 12 }, () => ({ inputs: inputs('ice') })));
    const { status, cost_usd } = await score(calls, 0.003);
    expect(status).toBe('budget_spent');
    expect(cost_usd).toBeLessThanOrEqual(0.006);
  });

  it('are for those who may ask models', async () => {
    const [call] = await project.addCalls({ inputs: inputs('ice') });
    const tracer = await app.user('tom', { roles: { acme: 'writer' }, scopes: ['trace'] });
    const body = { project_id: PROJECT, call_ids: [call], definition: definition() };
    expect((await app.as(tracer).post('/evaluation/scorers/try', body)).status).toBe(403);
  });
});
