import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createModel } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';

const JOBS = '/v1/preview/training-jobs';
const REF = 'hone:///acme/p/object/right:abc';
const PROMPTS = `data:,${encodeURIComponent('{"prompt":"hi","expected":"x"}\n{"prompt":"ho"}')}`;
const ROLLOUTS = { prompts_url: PROMPTS, scorers: [{ scorer: 'right' }] };
const FOUND = { scorers: [{ scorer: REF, criterion: 'passed', weight: 1 }], grades: [], cost_usd: 0, graded: 0 };

describe('jobs that sample their own rollouts', () => {
  /** The evaluation service, which another app is. */
  let evaluation: Server;
  let answer: { status: number; body: object };
  let asked: { path: string; body: { project_id: string; scorers: object[]; answers: object[] } }[];
  let app: TrainingApp;
  let modelId: string;
  beforeAll(async () => {
    evaluation = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked.push({ path: String(request.url), body: JSON.parse(Buffer.concat(chunks).toString()) as never });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
      });
    });
    await new Promise<void>((resolve) => evaluation.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(evaluation.address() as AddressInfo).port}`;
    app = await startTrainingApp({ gatewayUrl: url, evaluationUrl: url });
    modelId = await createModel(app.caller);
  });
  beforeEach(() => {
    answer = { status: 200, body: FOUND };
    asked = [];
  });
  afterAll(async () => {
    await app.close();
    evaluation.closeAllConnections();
    await new Promise((resolve) => evaluation.close(resolve));
  });

  const create = (rollouts: unknown, more: object = {}) =>
    app.caller.post(JOBS, { model_id: modelId, rollouts, ...more });
  const countJobs = () => app.db.client.trainingJob.count();

  it('are queued with every default, and the versions of the scorers', async () => {
    const { status, json } = await create(ROLLOUTS);
    expect(status).toBe(200);
    expect(json()).toMatchObject({ kind: 'rl', status: 'queued', training_data_url: null, warnings: [] });
    expect(json().rollouts).toEqual({
      ...{ prompts_url: null, scorers: FOUND.scorers, n: 8, prompts_per_round: 8, rounds: null, rounds_done: 0 },
      sampling: { temperature: 1, top_p: 1, max_tokens: 256 },
      ...{ max_cost_usd: null, seed: 0, prompts: 0, answers: 0, graded: 0, failures: {}, cost_usd: 0 },
      last_reward_mean: null,
    });
    expect(asked).toEqual([
      { path: '/evaluation/scorers/grade', body: { project_id: 'acme/p', scorers: ROLLOUTS.scorers, answers: [] } },
    ]);
    const row = await app.db.client.trainingJob.findUniqueOrThrow({ where: { id: json().id } });
    expect(row).toMatchObject({ keyId: app.writer.keyId, roundsDone: 0 });
    expect((await app.caller.get(`${JOBS}/${json().id}/rollouts`)).json()).toEqual({ object: 'list', data: [] });
  });

  it('name the artifact of their project that has the prompts', async () => {
    const lines = { headers: { 'content-type': 'application/jsonl' } };
    const uploaded = await app.caller.post('/v1/preview/artifacts/acme/p/questions', '{"prompt":"hi"}', lines);
    const { json } = await create({ ...ROLLOUTS, prompts_url: uploaded.json().url });
    expect(json().rollouts.prompts_url).toBe(uploaded.json().url);
  });

  it.each([
    ['groups beside them', ROLLOUTS, { trajectory_groups: [] }, ['rollouts']],
    ['a file beside them', ROLLOUTS, { training_data_url: 'data:,x' }, ['rollouts']],
    ['no source at all', null, {}, ['trajectory_groups']],
    ['a list', [], {}, ['rollouts']],
    ['no prompts', { scorers: ROLLOUTS.scorers }, {}, ['rollouts', 'prompts_url']],
    ['a path of the server', { ...ROLLOUTS, prompts_url: 'file:///etc/passwd' }, {}, ['rollouts', 'prompts_url']],
    ['no scorers', { prompts_url: PROMPTS }, {}, ['rollouts', 'scorers']],
    ['an empty list of scorers', { ...ROLLOUTS, scorers: [] }, {}, ['rollouts', 'scorers']],
    ['six scorers', { ...ROLLOUTS, scorers: Array(6).fill({ scorer: 'a' }) }, {}, ['rollouts', 'scorers']],
    ['a scorer without a name', { ...ROLLOUTS, scorers: [{}] }, {}, ['rollouts', 'scorers', 0, 'scorer']],
    ['a weight of 0', { ...ROLLOUTS, scorers: [{ scorer: 'a', weight: 0 }] }, {}, ['rollouts', 'scorers', 0, 'weight']],
    ['groups of one', { ...ROLLOUTS, n: 1 }, {}, ['rollouts', 'n']],
    ['33 answers', { ...ROLLOUTS, n: 33 }, {}, ['rollouts', 'n']],
    ['half an answer', { ...ROLLOUTS, n: 2.5 }, {}, ['rollouts', 'n']],
    ['no round', { ...ROLLOUTS, rounds: 0 }, {}, ['rollouts', 'rounds']],
    ['too many rounds', { ...ROLLOUTS, rounds: 1_001 }, {}, ['rollouts', 'rounds']],
    ['rounds without prompts', { ...ROLLOUTS, prompts_per_round: 0 }, {}, ['rollouts', 'prompts_per_round']],
    ['a budget of nothing', { ...ROLLOUTS, max_cost_usd: 0 }, {}, ['rollouts', 'max_cost_usd']],
    ['a temperature of 0', { ...ROLLOUTS, sampling: { temperature: 0 } }, {}, ['rollouts', 'sampling', 'temperature']],
    ['a negative seed', { ...ROLLOUTS, seed: -1 }, {}, ['rollouts', 'seed']],
  ])('are refused with %s', async (_name, rollouts, more, loc) => {
    const before = await countJobs();
    const { status, json } = await create(rollouts, more);
    expect([status, json().detail[0]?.loc]).toEqual([422, ['body', ...loc]]);
    expect(await countJobs()).toBe(before);
    expect(asked).toEqual([]);
  });

  it('warn of settings that nobody knows', async () => {
    const { json } = await create({ ...ROLLOUTS, promts_per_round: 3 });
    expect(json().warnings).toMatchObject([{ code: 'config.unknown_key', loc: ['rollouts', 'promts_per_round'] }]);
  });

  it.each([
    [404, { detail: "There is no scorer 'right' in the project.", code: 'scorer.not_found' }, 404, 'scorer.not_found'],
    [422, { detail: 'Source code.', code: 'scorer.not_defined' }, 404, 'scorer.not_found'],
    [403, { detail: 'No.', code: 'access.denied' }, 403, 'access.denied'],
    [500, { detail: 'Oh.', code: 'server.internal' }, 503, 'evaluation.unavailable'],
  ])('are refused as the scorers are: %i', async (status, body, expected, code) => {
    answer = { status, body };
    const before = await countJobs();
    const refused = await create(ROLLOUTS);
    expect([refused.status, refused.json().code]).toEqual([expected, code]);
    expect(await countJobs()).toBe(before);
  });

  it('say where in the body a scorer is wrong', async () => {
    const issue = { loc: ['body', 'scorers', 0, 'criterion'], msg: 'The scorer finds passed', type: 'value_error' };
    answer = { status: 422, body: { detail: [issue] } };
    const { status, json } = await create(ROLLOUTS);
    expect([status, json().detail]).toEqual([
      422,
      [{ ...issue, loc: ['body', 'rollouts', 'scorers', 0, 'criterion'] }],
    ]);
  });

  it('need a key for all that they do', async () => {
    const writer = await app.user('tom', { roles: { acme: 'writer' }, scopes: ['training', 'trace'] });
    const refused = await app.by(writer).post(JOBS, { model_id: modelId, rollouts: ROLLOUTS });
    expect([refused.status, refused.json().code]).toEqual([403, 'access.denied']);
    expect(refused.json().detail).toContain('inference');
  });

  it('read no prompts of others', async () => {
    const lines = { headers: { 'content-type': 'application/jsonl' } };
    const other = app.by(await app.user('olga', { roles: { others: 'owner' } }));
    await createModel(other, { entity: 'others' });
    const uploaded = await other.post('/v1/preview/artifacts/others/p/secret', '{"prompt":"hi"}', lines);
    expect(uploaded.status).toBe(200);
    const refused = await create({ ...ROLLOUTS, prompts_url: uploaded.json().url });
    expect([refused.status, refused.json().code]).toEqual([403, 'access.denied']);
    const unknown = await create({ ...ROLLOUTS, prompts_url: 'hone-artifact:///acme/p/nothing:v0' });
    expect([unknown.status, unknown.json().code]).toEqual([404, 'artifact.not_found']);
  });

  it('are diagnosed by their prompts and scorers, and nothing is sampled', async () => {
    const diagnose = (rollouts: object) => app.caller.post(`${JOBS}/diagnose`, { model_id: modelId, rollouts });
    expect((await diagnose(ROLLOUTS)).json()).toMatchObject({ ok: true, groups_submitted: 2, issues: [] });
    const broken = await diagnose({ ...ROLLOUTS, prompts_url: 'data:,%7B%7D' });
    expect(broken.json()).toMatchObject({ ok: false, issues: [{ loc: ['line', 1], code: 'data.bad_line' }] });
    answer = { status: 404, body: { detail: 'No scorer.', code: 'scorer.not_found' } };
    expect((await diagnose(ROLLOUTS)).status).toBe(404);
  });

  it('are refused where nobody says how to sample', async () => {
    const plain = await startTrainingApp();
    const model = await createModel(plain.caller);
    const refused = await plain.caller.post(JOBS, { model_id: model, rollouts: ROLLOUTS });
    await plain.close();
    expect([refused.status, refused.json().code]).toEqual([422, 'rollouts.not_configured']);
    expect(refused.json().detail).toContain('HONE_EVALUATION_URL');
  });
});
