import { BiasReportDto, check } from '@hone/contracts';
import { startTestApp, type TestClient, until } from '@hone/testing';
import { jest } from '@jest/globals';

import { EvaluationModule } from '../evaluation.module.js';
import { CandidatesRepository } from '../labels/candidates.repository.js';
import { ScoringsRepository } from '../scorings/scorings.repository.js';
import { type AskedJudge, FakeGateway } from '../testing/fake-gateway.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { repeat, ReportedProject, TRUTH } from '../truth/reports.fixture.js';
import { VerdictWorker } from '../verdicts/verdict-worker.js';
import { BiasEvidence } from './bias-evidence.service.js';

const PATH = '/evaluation/bias-reports';
/** Of a judge that votes once: its answer to a call that is changed as the messages say. */
const FLATTERED = 'What an excellent';
const REPEATED = 'In other words';

class BiasProject extends ReportedProject {
  gateway!: FakeGateway;

  override async start(): Promise<void> {
    this.gateway = await FakeGateway.start();
    const { url } = this.gateway;
    this.app = await startTestApp(
      EvaluationModule.forRoot(() => ({ gatewayUrl: url })),
      {},
      { isOwn: true },
    );
  }

  override async reset(): Promise<void> {
    await super.reset();
    await this.app.sql('TRUNCATE scorings, verdicts, bias_reports');
    this.gateway.reset();
    this.gateway.reply = (asked) => JSON.stringify({ reason: 'so', helpful: this.taste(asked), polite: true });
  }

  /** Likes praise by two steps, length by one. */
  taste({ body }: AskedJudge): number {
    const text = body.messages[0]?.content ?? '';
    return text.startsWith(FLATTERED) ? 5 : text.includes(REPEATED) ? 4 : 3;
  }
}

describe('POST /evaluation/bias-reports', () => {
  const biased = new BiasProject();
  const { add, label, ofJudge } = biased;
  beforeAll(() => biased.start());
  afterAll(async () => {
    await biased.app.close();
    await biased.gateway.close();
  });
  beforeEach(() => biased.reset());

  const ask = (body: object, who: Parameters<typeof biased.app.as>[0] = biased.app.writer) =>
    biased.app
      .as(who)
      .post(PATH, { project_id: PROJECT, scorer: 'helpful', criterion: 'helpful', truth: TRUTH, ...body });
  const toReport = ({ status, json }: Awaited<ReturnType<TestClient['get']>>): BiasReportDto => {
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    expect(check(BiasReportDto, json()).issues).toEqual([]);
    return json() as BiasReportDto;
  };
  const create = async (body: object = {}) => toReport(await ask(body));
  const read = async ({ id }: BiasReportDto) => toReport(await biased.app.as(biased.app.writer).get(`${PATH}/${id}`));
  const work = () => biased.app.app.get(VerdictWorker).run();

  /** Calls that the judge has rated 3, whose answers are of so many words. */
  const addJudged = async (words: readonly number[], model = 'gpt-5'): Promise<string[]> => {
    const calls = await biased.project.addCalls(
      ...words.map((count) => ({ output: 'word '.repeat(count).trim(), inputs: { q: 'Why?' } })),
    );
    await add(...calls.map((call) => ofJudge(call, { helpful: 3 })));
    await biased.app.sql('UPDATE calls SET model = $1 WHERE id = ANY($2)', [model, calls]);
    return calls;
  };

  it('asks the judge about changed answers, each once, and says by how much each change moves it', async () => {
    const calls = await addJudged(repeat([3, 12]));
    const made = await create({ probe_calls: 10 });
    expect(made).toMatchObject({ status: 'running', labels: 0, length: null, self_preference: null, cost_usd: 0 });
    expect(made.probe_call_ids).toHaveLength(10);
    expect(calls).toEqual(expect.arrayContaining(made.probe_call_ids));
    expect(made.probes.map(({ probe, status, change }) => [probe, status, change])).toEqual(
      ['longer', 'bullets', 'flattery', 'repeat'].map((probe) => [probe, 'queued', null]),
    );
    await work();
    const found = await read(made);
    expect(found.status).toBe('done');
    expect(found.probes.map(({ probe, status, change }) => [probe, status, change?.estimate, change?.calls])).toEqual([
      ['longer', 'done', 1, 10],
      ['bullets', 'done', 0, 10],
      ['flattery', 'done', 2, 10],
      ['repeat', 'done', 0, 10],
    ]);
    expect(found.cost_usd).toBeCloseTo(0.04, 9);
    expect(biased.gateway.asked).toHaveLength(40);
    // Again it costs nothing: the changes are the same, and the day is.
    const again = await create({ probe_calls: 10 });
    await work();
    expect(biased.gateway.asked).toHaveLength(40);
    expect((await read(again)).probes.map(({ change }) => change?.estimate)).toEqual([1, 0, 2, 0]);
  });

  it('stores nothing that looks like a verdict about what a model answered', async () => {
    await addJudged(repeat([3, 5]));
    const before = await biased.report({ scorer: 'helpful', criterion: 'helpful' });
    const made = await create();
    await work();
    expect((await biased.project.feedback()).length).toBe(5);
    expect(await biased.report({ scorer: 'helpful', criterion: 'helpful' })).toEqual(before);
    const client = biased.app.as(biased.app.writer);
    expect((await client.get(`/evaluation/scorings?project_id=${PROJECT}`)).json().scorings).toEqual([]);
    const [probe] = made.probes;
    expect((await client.get(`/evaluation/scorings/${probe?.scoring_id}`)).json()).toMatchObject({
      ...{ status: 'done', counts: { done: 5 } },
    });
  });

  it('finds drift on calls that are named again', async () => {
    const calls = await addJudged(repeat([3, 6]));
    const body = { call_ids: calls.slice(0, 4), probes: ['repeat'] };
    biased.gateway.reply = () => JSON.stringify({ reason: 'so', helpful: 2, polite: true });
    const made = await create(body);
    await work();
    expect((await read(made)).probes[0]).toMatchObject({
      ...{ change: { estimate: -1, low: -1, high: -1, calls: 4 }, distance: { estimate: 1 } },
    });
    // On another day the judge is asked again.
    await biased.app.sql('UPDATE verdicts SET trial = trial + 1');
    await create(body);
    await work();
    expect(biased.gateway.asked).toHaveLength(8);
  });

  it('tells a taste for length and for its own family from labels', async () => {
    const words = Array.from({ length: 40 }, (_none, at) => 2 + ((at * 7) % 40));
    const calls = await addJudged(words, 'judge-2');
    const others = await addJudged(words, 'gpt-5');
    const rate = (count: number, isOwn: boolean) => Math.min(5, 1 + Math.floor(count / 14) + (isOwn ? 2 : 0));
    await add(
      ...calls.map((call, at) => ofJudge(call, { helpful: rate(words[at] as number, true) })),
      ...others.map((call, at) => ofJudge(call, { helpful: rate(words[at] as number, false) })),
      ...[...calls, ...others].map((call, at) => label(call, 1 + ((at * 3) % 5))),
    );
    const found = await create({ probes: [] });
    expect(found).toMatchObject({
      status: 'done',
      labels: 80,
      judge_family: 'judge',
      probes: [],
      probe_call_ids: [],
      vote_spread: null,
    });
    expect(found.length?.low).toBeGreaterThan(0.2);
    expect(found.self_preference?.low).toBeGreaterThan(0.5);
    expect(found.self_preference?.calls).toBe(80);
    const other = await create({ probes: [], judge_model: 'openai/gpt-6' });
    expect(other.self_preference?.high).toBeLessThan(-0.5);
    expect(biased.gateway.asked).toEqual([]);
  });

  it('has the mean spread of votes', async () => {
    const calls = await biased.addCalls(4);
    await add(...calls.map((call, at) => ofJudge(call, { helpful: 3, spread: { helpful: at / 2 } })));
    expect((await create({ probes: [] })).vote_spread).toMatchObject({ estimate: 0.75, calls: 4 });
  });

  it('has the share of verdicts that the order of two answers changed, at no cost', async () => {
    const pairwise = {
      ...{ model: 'judge', against: 'inputs.expected' },
      messages: [{ role: 'user', content: '1: {{first}}\n2: {{second}}' }],
    };
    await biased.project.addScorer('better', { kind: 'pairwise', pairwise });
    const calls = await biased.project.addCalls(
      ...Array.from({ length: 10 }, (_none, at) => ({
        output: at < 3 ? 'even' : 'right',
        inputs: { expected: 'wrong' },
      })),
    );
    // Where neither is right, it takes the first one.
    biased.gateway.reply = ({ body }) =>
      JSON.stringify({ reason: 'so', better: body.messages[0]?.content.endsWith('2: right') ? 2 : 1 });
    const client = biased.app.as(biased.app.writer);
    await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'better', call_ids: calls });
    await work();
    const asked = biased.gateway.asked.length;
    const found = await create({ scorer: 'better', criterion: 'win', probes: [] });
    expect(asked).toBe(20);
    // Wilson's interval of 3 of 10.
    expect(found.order_swap).toMatchObject({ estimate: 0.3, calls: 10 });
    expect(found.order_swap?.low).toBeCloseTo(0.107789, 5);
    expect(found.order_swap?.high).toBeCloseTo(0.603222, 5);
    expect(found.judge_family).toBe('judge');
    expect(biased.gateway.asked).toHaveLength(asked);
    expect((await read(found)).order_swap).toEqual(found.order_swap);
  });

  it('is read without figures that it was made before', async () => {
    await addJudged(repeat([3, 3]));
    const made = await create({ probes: [] });
    expect(made.order_swap).toBeNull();
    await biased.app.sql(`UPDATE bias_reports SET figures = figures - 'order_swap'`);
    expect((await read(made)).order_swap).toBeNull();
  });

  it('spends no more than its budget, which probes share', async () => {
    await addJudged(repeat([3, 8]));
    const made = await create({ probes: ['longer', 'flattery'], max_cost_usd: 0.006 });
    await work();
    const found = await read(made);
    expect(found.status).toBe('done');
    expect(found.cost_usd).toBeCloseTo(0.006, 9);
    expect(found.probes.map(({ status, change }) => [status, change?.calls])).toEqual([
      ['budget_spent', 3],
      ['budget_spent', 3],
    ]);
  });

  it('changes no answer that is no text, and none that is deleted meanwhile', async () => {
    const [text, json, gone] = await addJudged(repeat([3, 3]));
    const output = '{"answer": 42}';
    await biased.app.sql(`UPDATE call_values SET output_text = $2::text, output_json = $2::text::jsonb WHERE id = $1`, [
      json,
      output,
    ]);
    const made = await create({ probes: ['longer', 'repeat'], call_ids: [text, json, gone] });
    await biased.app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [gone]);
    await work();
    const client = biased.app.as(biased.app.writer);
    const scoring = (await client.get(`/evaluation/scorings/${made.probes[0]?.scoring_id}`)).json();
    expect(scoring).toMatchObject({ counts: { done: 1, skipped: 1 }, problems: [{ code: 'missing_text' }] });
    const { probes } = await read(made);
    expect(probes[0]).toMatchObject({ change: null, distance: null });
    expect(probes[1]?.change?.calls).toBe(2);
  });

  it('asks nothing of checks unless told to', async () => {
    const calls = await biased.addCalls(3);
    await add(...calls.map((call) => biased.ofCheck(call, { passed: 1 })));
    const body = { scorer: 'cold', criterion: 'passed' };
    expect(await create(body)).toMatchObject({ status: 'done', probes: [], judge_family: null });
    const made = await create({ ...body, probes: ['bullets'] });
    await work();
    expect((await read(made)).probes[0]?.change).toMatchObject({ estimate: 0, calls: 3 });
  });

  it('reads what it kept: the figures of when it was asked for, whatever comes later', async () => {
    const calls = await addJudged(repeat([3, 12]));
    const made = await create({ probes: ['repeat'] });
    await add(...calls.map((call, at) => label(call, 1 + (at % 5))));
    await work();
    const find = jest.spyOn(biased.app.app.get(CandidatesRepository), 'find');
    const later = await read(made);
    expect(find).not.toHaveBeenCalled();
    jest.restoreAllMocks();
    expect(later).toMatchObject({ status: 'done', labels: 0, probes: [{ change: { calls: 12 } }] });
    expect((await create({ probes: [] })).labels).toBe(12);
  });

  it('keeps nothing of calls that are erased, nor of the conditions that it was asked with', async () => {
    const calls = await addJudged(repeat([3, 6]));
    const query = { $expr: { $not: [{ $eq: [{ $getField: 'inputs.q' }, { $literal: 'a secret' }] }] } };
    const made = await create({ probes: ['repeat'], call_ids: calls, query });
    await work();
    expect((await read(made)).probes[0]?.change?.calls).toBe(6);
    await biased.app.sql('UPDATE calls SET deleted_at = now() WHERE id = $1', [calls[0]]);
    expect((await read(made)).probes[0]?.change?.calls).toBe(5);
    const [one, two, ...others] = calls;
    await biased.app.sql('DELETE FROM call_values WHERE id = ANY($1)', [[one, two]]);
    const found = await read(made);
    expect([...found.probe_call_ids].sort()).toEqual(others);
    expect(found.probes[0]?.change?.calls).toBe(4);
    const [row] = await biased.app.sql<{ text: string; verdicts: number[] }>(
      'SELECT b::text AS text, verdicts FROM bias_reports b',
    );
    expect(row?.verdicts).toEqual([3, 3, 3, 3]);
    for (const gone of [one, two, 'a secret']) expect(row?.text).not.toContain(gone);
  });

  it('reads thousands of calls for two requests at once, and says when others take too long', async () => {
    await addJudged(repeat([3, 3]));
    const evidence = biased.app.app.get(BiasEvidence);
    let free = (): void => undefined;
    const taken = new Promise<void>((resolve) => (free = resolve));
    const judged = evidence.judged.bind(evidence);
    const reads = jest.spyOn(evidence, 'judged').mockImplementation(async (...sent) => {
      await taken;
      return judged(...sent);
    });
    const countOpen = jest.spyOn(biased.app.app.get(ScoringsRepository), 'countOpen');
    const asked = [1, 2, 3].map(() => create({ probes: [] }));
    await until(() => countOpen.mock.calls.length === 3 && reads.mock.calls.length >= 2);
    const atOnce = reads.mock.calls.length;
    free();
    await Promise.all(asked);
    expect([atOnce, reads.mock.calls.length]).toEqual([2, 3]);
    jest.restoreAllMocks();
  });

  it('asks nothing of a check that cannot judge', async () => {
    const check = { kind: 'check', check: { check: 'regex', pattern: '(' } };
    await biased.project.addScorer('broken', check);
    const { status, json } = await ask({ scorer: 'broken', criterion: 'passed', probes: ['bullets'] });
    expect([status, json().detail[0].loc]).toEqual([422, ['body', 'scorer']]);
  });

  it.each([
    ['an unknown probe', { probes: ['order'] }, 422],
    ['a probe of one call', { probe_calls: 1 }, 422],
    ['more calls than it takes', { probe_calls: 501 }, 422],
    ['a budget of nothing', { max_cost_usd: 0 }, 422],
    ['a criterion that the scorer does not find', { criterion: 'other' }, 422],
    ['a scorer that is not there', { scorer: 'unknown' }, 404],
    ['calls that are not judged', { call_ids: ['nowhere', 'neither'] }, 422],
  ])('refuses %s, and asks nothing', async (_what, body, status) => {
    await addJudged(repeat([3, 3]));
    expect((await ask(body)).status).toBe(status);
    expect(await biased.app.sql('SELECT FROM scorings')).toEqual([]);
  });

  it('says where there is nothing to probe', async () => {
    const { status, json } = await ask({});
    expect([status, json().code]).toEqual([422, 'bias_report.nothing_to_probe']);
  });

  it('is for those who may judge in the project', async () => {
    await addJudged(repeat([3, 3]));
    const made = await create({ probes: [] });
    const { app } = biased;
    const [rita, mallory] = [
      await app.user('rita', { roles: { acme: 'reader' } }),
      await app.user('mallory', { roles: { globex: 'owner' } }),
    ];
    const bound = await app.user('bound', { roles: { acme: 'owner' }, onlyProject: 'acme/other' });
    await JudgedProject.of(app, 'acme/other');
    expect((await ask({}, rita)).status).toBe(403);
    expect((await app.as(rita).get(`${PATH}/${made.id}`)).json()).toMatchObject({ id: made.id });
    for (const who of [mallory, bound]) {
      expect((await ask({}, who)).status).toBe(403);
      expect((await app.as(who).get(`${PATH}/${made.id}`)).status).toBe(403);
    }
    const tracer = await app.user('tom', { roles: { acme: 'writer' }, scopes: ['trace'] });
    expect((await ask({}, tracer)).status).toBe(403);
    expect((await ask({ probes: [] }, tracer)).status).toBe(200);
    const { status, json } = await app.as(rita).get(`${PATH}/019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d`);
    expect([status, json().code]).toEqual([404, 'bias_report.not_found']);
  });
});
