import { type ServiceProcess, startService, startTestApp, type TestApp } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { CellWorker } from './cell-worker.js';

const BASE = '/v2/acme/alike';
const ROWS = [
  { question: 'The opposite of hot?', expected: 'cold' },
  { question: 'The opposite of up?', expected: 'down' },
];
const RIGHT = { kind: 'check', check: { check: 'contains', reference: 'inputs.expected' } };

interface Trial {
  prediction_id: string;
  output: unknown;
  scores: Record<string, unknown>;
}
interface Results {
  rows: { row_digest: string; inputs: object; evaluations: { evaluation_run_id: string; trials: Trial[] }[] }[];
  summary: Record<string, unknown>[];
}

describe('a run of the server beside one that an SDK sent', () => {
  let gateway: FakeGateway;
  let app: TestApp;
  let trace: ServiceProcess;
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    gateway.reply = ({ body: { messages } }) => (messages.at(-1)?.content.includes('hot') ? 'cold' : 'left');
    const module = EvaluationModule.forRoot(() => ({ gatewayUrl: gateway.url }));
    app = await startTestApp(module, {}, { isOwn: true });
    trace = await startService('trace', { DATABASE_URL: app.url });
  });
  afterAll(async () => {
    await trace.stop('SIGKILL');
    await app.close();
    await gateway.close();
  });

  async function ask(path: string, body?: object) {
    const authorization = `Basic ${Buffer.from(`api:${app.writer.key}`).toString('base64')}`;
    const response = await fetch(trace.url + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await response.text();
    expect(`${path} ${response.status} ${text}`).toMatch(`${path} 200 `);
    return JSON.parse(text);
  }
  const lines = async (path: string): Promise<Record<string, unknown>[]> => {
    const authorization = `Basic ${Buffer.from(`api:${app.writer.key}`).toString('base64')}`;
    const text = await (await fetch(trace.url + path, { headers: { authorization } })).text();
    return text.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  };

  /** What an SDK sends of the same model, which answers the same. */
  async function runOfSdk(evaluation: string, model: string, scorer: string): Promise<string> {
    const { evaluation_run_id } = await ask(`${BASE}/evaluation_runs`, { evaluation, model });
    for (const inputs of ROWS) {
      const output = inputs.expected === 'cold' ? 'cold' : 'left';
      const { prediction_id } = await ask(`${BASE}/predictions`, { model, inputs, output, evaluation_run_id });
      await ask(`${BASE}/scores`, { prediction_id, scorer, value: { passed: output === 'cold' } });
    }
    const summary = { right: { passed: { true_count: 1, true_fraction: 0.5 } } };
    await ask(`${BASE}/evaluation_runs/${evaluation_run_id}/finish`, { summary });
    return evaluation_run_id;
  }

  it('reads alike in results, lists and comparisons', async () => {
    const { dataset_ref: dataset } = await ask(`${BASE}/datasets`, { name: 'opposites', rows: ROWS });
    const { digest } = await ask(`${BASE}/scorers`, { name: 'right', definition: RIGHT });
    const scorer = `hone:///acme/alike/object/right:${digest}`;
    const stored = await ask(`${BASE}/evaluations`, { name: 'words', dataset, scorers: [scorer] });
    const { status, json } = await app.as(app.writer).post('/evaluation/runs', {
      ...{ project_id: 'acme/alike', evaluation: stored.evaluation_ref, candidates: [{ model: 'small' }] },
    });
    expect([status, json()]).toMatchObject([200, { evaluation: stored.evaluation_ref }]);
    await app.app.get(CellWorker).run();
    const [{ evaluation_run_id: ours, model }] = json().candidates;
    const theirs = await runOfSdk(stored.evaluation_ref, model, scorer);

    const query = { evaluation_run_ids: [ours, theirs], filter: { statuses: ['predicted', 'failed', 'missing'] } };
    const results: Results = await ask(`${BASE}/eval_results/query`, query);
    expect(results.rows).toHaveLength(2);
    for (const { evaluations, inputs } of results.rows) {
      expect(ROWS).toContainEqual(inputs);
      const [own, sent] = evaluations.map(({ evaluation_run_id: _id, ...found }) => withoutIds(found));
      expect(own).toEqual(sent);
    }
    const counts = { dataset_rows: 2, predicted: 2, failed: 0, missing: 0 };
    expect(results.summary).toEqual([ours, theirs].map((evaluation_run_id) => ({ evaluation_run_id, ...counts })));

    const runs = await lines(`${BASE}/evaluation_runs?evaluations=${encodeURIComponent(stored.evaluation_ref)}`);
    expect(runs.map(({ evaluation_run_id }) => evaluation_run_id)).toEqual([ours, theirs]);
    const [own, sent] = runs.map((run) => ({ ...run, ...TIMES, evaluation_run_id: '', summary: {} }));
    expect(own).toEqual(sent);
    expect(runs[0]?.['summary']).toMatchObject(runs[1]?.['summary'] as object);
    for (const kind of ['predictions', 'scores']) {
      const [mine, others] = await Promise.all(
        [ours, theirs].map(async (run) => (await lines(`${BASE}/${kind}?evaluation_run_id=${run}`)).map(withoutIds)),
      );
      expect(mine).toHaveLength(2);
      expect(mine).toEqual(expect.arrayContaining(others as object[]));
    }
  });

  it('stores a model that reads as any other, whose version says what was asked', async () => {
    const { json } = await app.as(app.writer).post('/evaluation/runs', {
      ...{ project_id: 'acme/alike', dataset: 'opposites', scorers: ['right'], trials: 2 },
      candidates: [{ model: 'small', name: 'warm', parameters: { temperature: 1 } }],
    });
    expect(json()).toMatchObject({ status: 'queued', trials: 2 });
    expect(await ask(`${BASE}/models/warm/versions/latest`)).toMatchObject({
      name: 'warm',
      attributes: { model: 'small', parameters: { temperature: 1 } },
    });
    expect(await ask(`${BASE}/evaluations/opposites-evaluation/versions/latest`)).toMatchObject({
      dataset: expect.stringContaining('/object/opposites:'),
      scorers: [expect.stringContaining('/object/right:')],
      trials: 2,
    });
  });
});

const TIMES = { started_at: '', finished_at: '', created_at: '' };

/** What is found, without ids and times. */
function withoutIds(found: object): object {
  const hidden = ['prediction_id', 'score_id', 'score_ids', 'latency_ms', 'evaluation_run_id', ...Object.keys(TIMES)];
  return JSON.parse(JSON.stringify(found, (key, value: unknown) => (hidden.includes(key) ? '' : value))) as object;
}
