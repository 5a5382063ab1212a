import type { GateDto, ImprovementDto, JsonObject } from '@hone/contracts';
import { newId } from '@hone/database';
import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import { EvaluationModule } from '../evaluation.module.js';
import { GateWorker } from '../gates/gate-worker.js';
import { EditWorker } from '../prompt-edits/edit-worker.js';
import { CellWorker } from '../runs/cell-worker.js';
import { FakeGateway } from '../testing/fake-gateway.fixture.js';
import { type AskedTraining, FakeTraining } from '../testing/fake-training.fixture.js';
import { JudgedProject, PROJECT } from '../testing/judged-project.fixture.js';
import { ImprovementWorker } from './improvement-worker.js';

const PATH = '/evaluation/improve';
const MODEL = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';
const BODY = { project_id: PROJECT, model_id: MODEL, evaluate: { scorers: ['right'] } };
const ROWS = 60;
const FROM_CALLS = '/training-data/from-calls';
/** What the calls carry, by the kind of data. */
const CALLS: Readonly<Record<string, number>> = { sft: 3, preference: 120, thumbs: 200, rl: 0, distill: 40 };
const WITH_KEY = { headers: { 'idempotency-key': 'once' } };
/** What a transaction holds that keeps the answer of a request with a key. */
const KEY_LOCKS = `SELECT FROM pg_locks WHERE relation = 'idempotency_keys'::regclass AND mode = 'RowExclusiveLock'`;
const asked = (row: number) => [{ role: 'user', content: `Question ${row}?` }];
const lineOf = (row: number) => JSON.stringify({ messages: asked(row), completion: 'no', label: false });
const FILE = Array.from({ length: ROWS }, (_none, row) => lineOf(row)).join('\n');

describe('improvements', () => {
  let gateway: FakeGateway;
  let services: FakeTraining;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  let datasets: JsonObject[];
  beforeAll(async () => {
    gateway = await FakeGateway.start();
    services = await FakeTraining.start();
    const urls = { gatewayUrl: gateway.url, trainingUrl: services.url, traceUrl: services.url };
    app = await startTestApp(
      EvaluationModule.forRoot(() => urls),
      {},
      { isOwn: true },
    );
    client = app.as(await app.user('olga', { roles: { acme: 'owner' } }));
  });
  afterAll(async () => {
    await app.close();
    await gateway.close();
    await services.close();
  });
  beforeEach(async () => {
    gateway.reset();
    services.reset();
    datasets = [];
    services.reply = served;
    await app.sql(
      'TRUNCATE prompt_edits, prompt_edit_items, improvements, gates, gate_pairs, evaluation_jobs, evaluation_cells, feedback',
    );
    await app.sql(
      'TRUNCATE calls, call_values, object_heads, object_versions, table_rows, table_versions, table_chunks',
    );
    project = await JudgedProject.of(app);
    await project.addScorer('right', { kind: 'check', check: { check: 'contains', value: 'yes' } });
  });

  /** What training and trace answer, where the fixture does not know better. */
  async function served({ method, path, body }: AskedTraining) {
    const kind = String(body['kind']);
    if (path === FROM_CALLS) {
      const url = `hone-artifact:///acme/judged/improve-${kind}:v0`;
      const splits = { train: `${url}/train.jsonl`, held_out: `${url}/held_out.jsonl` };
      const skipped = [{ reason: 'no_reward', count: 7 }];
      return { status: 200, body: { url, splits, counts: { used: CALLS[kind] ?? 0 }, skipped } };
    }
    if (path.includes('/files/')) return { status: 200, body: FILE };
    if (path === `/v2/${PROJECT}/datasets`) {
      datasets.push(body as JsonObject);
      await project.addDataset(String(body['name']), body['rows'] as JsonObject[]);
      return { status: 200, body: { dataset_ref: String(body['name']) } };
    }
    return method === 'POST' && path.endsWith('/cancel') ? { status: 200, body: {} } : undefined;
  }

  /** The base is never right; a step is so often in a hundred. */
  const answerBy = (rates: Readonly<Record<string, number>>) => {
    gateway.reply = ({ body }) => {
      const rate = rates[body.model.split(':').at(-1) as string] ?? 0;
      const row = Number(/\d+/.exec(String(body.messages.at(-1)?.content))?.[0]);
      return (row * 37) % 100 < rate ? 'yes' : 'no';
    };
  };
  const improve = async (more: object = {}): Promise<ImprovementDto> => {
    const { status, json } = await client.post(PATH, { ...BODY, ...more });
    expect([status, json()]).toEqual([200, expect.any(Object)]);
    return json() as ImprovementDto;
  };
  const read = async ({ id }: ImprovementDto): Promise<ImprovementDto> =>
    (await client.get(`/evaluation/improvements/${id}`)).json() as ImprovementDto;
  const advance = async (workers = 1): Promise<void> => {
    await app.sql(`UPDATE improvements SET look_at = now() - interval '1 second' WHERE ended_at IS NULL`);
    await app.sql(`UPDATE gates SET look_at = now() - interval '1 second' WHERE status = 'open'`);
    const worker = app.app.get(ImprovementWorker);
    await Promise.all(Array.from({ length: workers }, () => worker.run()));
    await app.app.get(EditWorker).run();
    await app.app.get(CellWorker).run();
    await app.app.get(GateWorker).run();
  };
  const ended = async (improvement: ImprovementDto, workers = 1): Promise<ImprovementDto> => {
    for (let turn = 0; turn < 20; turn++) {
      await advance(workers);
      const now = await read(improvement);
      if (now.ended_at !== null) return now;
    }
    throw new Error(`It does not end: ${JSON.stringify(await read(improvement))}`);
  };
  const states = ({ candidates }: ImprovementDto) =>
    Object.fromEntries(candidates.map(({ method, state }) => [method, state]));

  it('try what the calls allow, and promote the best of what is better, whoever goes on with them', async () => {
    services.aliases.set('production', 0);
    // By pairs, by thumbs, and by the teacher.
    answerBy({ step1: 60, step2: 100, step3: 0 });
    const configs = { kto: { n_epochs: 2 } };
    const done = await ended(await improve({ teacher: 'large', configs, max_cost_usd: 5 }), 3);
    expect(done).toMatchObject({ status: 'promoted', current_step: 0, step: null });
    expect(done.sentence).toBe("Step 2, by kto, is 'production' now; it was step 0.");
    expect(services.aliases.get('production')).toBe(2);
    expect(states(done)).toEqual({
      ...{
        sft: 'not_possible',
        dpo: 'better',
        kto: 'promoted',
        rl: 'not_possible',
        distill: 'not_better',
        prompt: 'not_possible',
      },
    });
    const [sft, dpo, kto] = done.candidates;
    expect(sft?.reason).toBe('Only 3 calls have a correction; at least 10 are needed. Left out: 7 no_reward.');
    expect(dpo).toMatchObject({ calls: 120, step: 1 });
    expect(dpo?.gain?.low).toBeGreaterThan(0);
    expect(kto?.win_rate).toMatchObject({ estimate: 1, rows: ROWS });
    expect(kto?.win_rate?.low).toBeGreaterThan(0.9);
    expect(services.made('/preference-training-jobs').map(({ config }) => config)).toEqual([
      { parent_step: 0 },
      { method: 'kto', n_epochs: 2, parent_step: 0 },
    ]);
    expect(services.made('/sft-training-jobs')).toHaveLength(1);
    // One alpha for all of them, and the same rows, each prompt once.
    const gates = (await client.get(`/evaluation/gates?project_id=${encodeURIComponent(PROJECT)}`)).json()
      .gates as GateDto[];
    expect(gates.map(({ settings }) => settings.alpha)).toEqual([0.05 / 3, 0.05 / 3, 0.05 / 3]);
    expect(datasets).toEqual([
      { name: `held-out-${MODEL}`, rows: Array.from({ length: ROWS }, (_none, row) => ({ messages: asked(row) })) },
    ]);
    const [jobs] = await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM evaluation_jobs');
    expect(jobs?.count).toBe(1);
    const held = services.made(FROM_CALLS).map(({ split }) => split as Record<string, number> | undefined);
    expect(new Set(held.flatMap((split) => split?.['held_out'] ?? []))).toEqual(new Set([1 / 3]));
  });

  it('keep the current checkpoint where nothing is proven to be better', async () => {
    services.aliases.set('production', 9);
    answerBy({ step9: 50, step1: 50, step2: 20 });
    const done = await ended(await improve());
    expect(done).toMatchObject({ status: 'kept', current_step: 9 });
    expect(states(done)).toMatchObject({ dpo: 'not_better', kto: 'worse' });
    expect(done.sentence).toBe('The current checkpoint stays: dpo is not proven to be better, kto is worse.');
    expect(done.candidates.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Undecided: /), expect.stringMatching(/^Reject: /)]),
    );
    expect(services.aliases.get('production')).toBe(9);
  });

  it('go on without a job that fails, and without those that take too long', async () => {
    answerBy({ step1: 100 });
    services.reply = (request) =>
      request.method === 'GET' && request.path.endsWith('002')
        ? { status: 200, body: { status: 'failed', error: { message: 'Too large.' } } }
        : served(request);
    const done = await ended(await improve({ methods: ['dpo', 'kto'] }));
    expect(done).toMatchObject({ status: 'promoted' });
    expect(done.candidates[1]).toMatchObject({ state: 'failed', reason: 'The training job failed: Too large.' });

    services.reply = (request) =>
      request.method === 'GET' && request.path.startsWith('/training-jobs/')
        ? { status: 200, body: { status: 'running' } }
        : served(request);
    const slow = await improve({ methods: ['kto'], max_minutes: 1 });
    await advance();
    expect(await read(slow)).toMatchObject({ status: 'running', step: 'training' });
    await app.sql(`UPDATE improvements SET created_at = now() - interval '61 seconds' WHERE id = $1`, [slow.id]);
    expect(await ended(slow)).toMatchObject({ status: 'failed', sentence: expect.stringContaining('max_minutes') });
    expect(services.asked.at(-1)?.path).toMatch(/\/cancel$/);
  });

  it('say beforehand what the calls allow, and store nothing of it', async () => {
    let locks = 0;
    services.reply = async (request) => {
      locks += (await app.sql(KEY_LOCKS)).length;
      return served(request);
    };
    const [proposed, again] = [
      await client.post(PATH, { ...BODY, dry_run: true }, WITH_KEY),
      await client.post(PATH, { ...BODY, dry_run: true, methods: ['kto'] }, WITH_KEY),
    ];
    expect(locks).toBe(0);
    expect(again.json().sentence).toBe('It would try kto.');
    const { id, status, sentence, candidates } = proposed.json() as ImprovementDto;
    expect([id, status, sentence]).toEqual([null, 'proposed', 'It would try dpo, kto.']);
    expect(candidates).toHaveLength(6);
    expect(services.made(FROM_CALLS).every(({ dry_run: isDry }) => isDry === true)).toBe(true);
    expect(await app.sql('SELECT FROM improvements')).toEqual([]);
    services.reply = () => ({ status: 503, body: { detail: 'Busy.' } });
    const down = await client.post(PATH, { ...BODY, dry_run: true });
    expect([down.status, down.json().code]).toEqual([503, 'improvement.training_unavailable']);
    services.reply = () => ({ status: 404, body: { code: 'model.not_found', detail: 'There is no such model.' } });
    const gone = await client.post(PATH, { ...BODY, dry_run: true });
    expect([gone.status, gone.json().detail]).toEqual([422, 'There is no such model.']);
  });

  it('end where there is nothing to learn from, or nothing to compare by', async () => {
    expect(await ended(await improve({ methods: ['rl', 'distill'] }))).toMatchObject({
      ...{ status: 'no_data', sentence: expect.stringContaining('No `teacher` is named') },
    });
    services.reply = (request) => (request.path.includes('/files/') ? { status: 200, body: '' } : served(request));
    expect(await ended(await improve())).toMatchObject({
      ...{ status: 'no_data', sentence: expect.stringContaining('Name a `dataset`') },
    });
  });

  it('ask a dataset that is named, and hold nothing out', async () => {
    answerBy({ step1: 100, step2: 100 });
    const rows = Array.from({ length: ROWS }, (_none, row) => ({ question: `Question ${row}?` }));
    await project.addDataset('questions', rows);
    const done = await ended(await improve({ evaluate: { ...BODY.evaluate, dataset: 'questions' } }));
    expect(done).toMatchObject({ status: 'promoted', dataset: 'questions' });
    expect(datasets).toEqual([]);
    expect(services.made(FROM_CALLS).at(-1)).toMatchObject({ split: { train: 1 } });
  });

  it('have a model edit the prompt, and move its alias where that is best', async () => {
    const messages = [{ role: 'system', content: 'Answer.' }];
    await project.addInstance('brief', 'MessagesPrompt', { messages });
    const edited = JSON.stringify({ diagnosis: 'It says too little.', message_1: 'Answer with yes.' });
    gateway.reply = ({ body }) => {
      if (body.model === 'editor') return edited;
      // Prompts that are stored are filled by the gateway.
      const { prompt } = body as { prompt?: { version: string } };
      const isEdited = prompt ? prompt.version !== original : String(body.messages[0]?.content).includes('yes');
      return isEdited ? 'yes' : 'no';
    };
    const [version] = await app.sql<{ digest: string }>(`SELECT digest FROM object_versions WHERE object_id = 'brief'`);
    const original = version?.digest;
    const moved: unknown[] = [];
    services.reply = (request) => {
      if (request.path !== '/objs/brief/aliases') return served(request);
      if (request.method === 'PUT') moved.push(request.body);
      return { status: 200, body: { aliases: [{ alias: 'production', digest: original }] } };
    };
    const done = await ended(await improve({ methods: ['kto', 'prompt'], prompt: 'brief', teacher: 'editor' }), 3);
    expect(done.sentence).toBe("The edited prompt is 'production' now; the model stays.");
    const [kto, prompt] = done.candidates;
    expect([kto?.state, prompt?.state, prompt?.step]).toEqual(['not_better', 'promoted', null]);
    expect(prompt?.prompt).not.toContain(original);
    expect(moved).toEqual([
      { project_id: PROJECT, digest: prompt?.prompt?.split(':').at(-1), aliases: ['production'] },
    ]);
    expect(done.settings.prompt).toBe(`hone:///${PROJECT}/object/brief:${original}`);
    expect(datasets.map(({ name }) => name)).toEqual([`practice-${MODEL}`, `held-out-${MODEL}`]);
    const [jobs] = await app.sql<{ count: number }>('SELECT count(*)::int AS count FROM prompt_edits');
    expect(jobs?.count).toBe(1);
    // The model keeps its checkpoint.
    expect(services.aliases.get('production')).toBe(0);
    expect((await client.post(PATH, { ...BODY, prompt: 'other' })).json()).toMatchObject({ code: 'prompt.not_found' });
  });

  it('leave an alias alone that somebody else has moved', async () => {
    answerBy({ step1: 100 });
    services.reply = (request) => {
      if (request.method === 'PUT' && request.body['if_step'] === 0) services.aliases.set('production', 99);
      return served(request);
    };
    const done = await ended(await improve({ methods: ['kto'] }));
    expect(done).toMatchObject({ status: 'alias_moved', sentence: expect.stringContaining('step 99') });
    expect(services.aliases.get('production')).toBe(99);
  });

  it('refuse what could do harm, and what no gate takes', async () => {
    const messages = [{ role: 'user', content: '{{output}}' }];
    const llm = { model: 'judge', messages, ratings: [{ name: 'good', min: 1, max: 5 }] };
    await project.addScorer('helpful', { kind: 'llm', llm });
    const judged = await client.post(PATH, { ...BODY, evaluate: { scorers: ['helpful'] } });
    expect(judged.json()).toMatchObject({ code: 'improvement.unsafe', detail: expect.stringContaining('is a judge') });
    const latency = await client.post(PATH, { ...BODY, gate: { metric: 'latency_ms' } });
    expect(latency.json()).toMatchObject({ detail: [{ loc: ['body', 'gate', 'metric'] }] });
    const configs = { kto: { note: 'a\u0000b' } };
    expect((await client.post(PATH, { ...BODY, configs })).status).toBe(422);
    expect((await client.post(PATH, { ...BODY, methods: ['magic'] })).status).toBe(422);
  });

  it('are cancelled with what they work on, and end with the rights of whoever asked', async () => {
    let locks = 0;
    services.reply = async (request) => {
      locks += (await app.sql(KEY_LOCKS)).length;
      return request.method === 'GET' && request.path.startsWith('/training-jobs/')
        ? { status: 200, body: { status: 'running' } }
        : served(request);
    };
    const improvement = (await client.post(PATH, { ...BODY, methods: ['kto'] }, WITH_KEY)).json() as ImprovementDto;
    await advance();
    // Once for all the steps that were done.
    expect(services.asked.filter((one) => one.path === `/models/${MODEL}`)).toHaveLength(1);
    const path = `/evaluation/improvements/${improvement.id}/cancel`;
    const cancelled = await client.post(path, {}, WITH_KEY);
    expect(cancelled.json()).toMatchObject({ status: 'cancelled', step: null });
    expect(services.asked.at(-1)?.path).toMatch(/\/cancel$/);
    expect(locks).toBe(0);
    expect((await client.post(path, {}, WITH_KEY)).text).toBe(cancelled.text);
    expect((await client.post(path, {})).json()).toMatchObject({ code: 'improvement.ended' });

    const orphan = await improve({ methods: ['kto'] });
    await app.sql('UPDATE improvements SET key_id = $1::uuid', [newId()]);
    expect(await ended(orphan)).toMatchObject({ status: 'failed', sentence: expect.stringContaining('has ended') });
  });
});
