import { setTimeout as sleep } from 'node:timers/promises';

const PROJECT = 'local/judged';
const project_id = PROJECT;
/** What is judged in it is half done. */
const HALF = 'local/half';
const BASE = '/v2/local/judged';
const CALLS = 60;
const TRUTH = { feedback_type: 'hone.annotation.good' };
const BERLIN = { scorer: 'berlin', criterion: 'passed', truth: TRUTH };
const OVER = ['done', 'failed', 'cancelled', 'budget_spent'];

/** Who judges: a check, a model that rates, a model that compares. */
const SCORERS = {
  berlin: { kind: 'check', check: { check: 'contains', value: 'Berlin' } },
  helpful: {
    kind: 'llm',
    llm: {
      ...{ model: 'hone-tiny', votes: 2, max_tokens: 32 },
      messages: [{ role: 'user', content: '{{inputs.q}} {{output}}' }],
      ratings: [{ name: 'helpful', min: 1, max: 5 }],
    },
  },
  better: {
    kind: 'pairwise',
    pairwise: {
      ...{ model: 'hone-tiny', against: 'inputs.expected', max_tokens: 32 },
      messages: [{ role: 'user', content: '{{first}} or {{second}}' }],
    },
  },
};

/** Calls that are judged in every way, labels that were drawn, and an evaluation with a baseline. */
export async function judge({ get, post }) {
  await post('/account/projects', { entity: 'local', name: 'judged' });
  await post('/call/upsert_batch', { batch: callsOf(project_id, CALLS) });
  for (const [name, definition] of Object.entries(SCORERS)) await post(`${BASE}/scorers`, { name, definition });
  const ids = Array.from({ length: CALLS }, (_, at) => `j${at}`);
  const scored = { berlin: ids, helpful: ids.slice(0, 6), better: ids.slice(0, 6) };
  const scorings = [];
  for (const [scorer, call_ids] of Object.entries(scored))
    scorings.push(await post('/evaluation/scorings', { project_id, scorer, call_ids, max_cost_usd: 1 }));
  for (const { id } of scorings) await untilOver(get, `/evaluation/scorings/${id}`);
  await label(post);
  const bias = await post('/evaluation/bias-reports', { project_id, ...BERLIN, probes: ['bullets'], probe_calls: 6 });
  const order = await post('/evaluation/bias-reports', { project_id, scorer: 'better', criterion: 'win', probes: [] });
  for (const { probes } of [bias])
    for (const one of probes) await untilOver(get, `/evaluation/scorings/${one.scoring_id}`);
  const runs = await evaluate(get, post);
  await monitor(get, post);
  await bringScores(post);
  await post('/account/projects', { entity: 'local', name: 'half' });
  await post('/call/upsert_batch', { batch: callsOf(HALF, 24) });
  await post('/v2/local/half/scorers', { name: 'helpful', definition: SCORERS.helpful });
  return { scorings: scorings.map(({ id }) => id), reports: [bias.id, order.id], ...runs };
}

const callsOf = (project, count) => Array.from({ length: count }, (_, at) => callOf(project, at)).flat();

const callOf = (project, at) => [
  {
    mode: 'start',
    req: {
      start: {
        ...{ project_id: project, id: `j${at}`, op_name: 'answer', started_at: '2026-01-15T09:59:00Z', attributes: {} },
        inputs: { q: 'The capital of Germany?', expected: 'It is Berlin.', n: at },
      },
    },
  },
  {
    mode: 'end',
    req: {
      end: {
        ...{ project_id: project, id: `j${at}`, ended_at: '2026-01-15T09:59:01Z', summary: {} },
        output: at % 3 > 0 ? 'It is Berlin.' : 'It is Bonn.',
      },
    },
  },
];

/** People label what a queue drew. */
async function label(post) {
  const val = { name: 'good', field_schema: { type: 'boolean' } };
  await post('/obj/create', { obj: { project_id, object_id: 'good', builtin_object_class: 'AnnotationSpec', val } });
  const drawn = await post('/evaluation/label-queues', { project_id, ...BERLIN, size: 36, seed: 1 });
  const { items } = await post(`/annotation_queues/${drawn.queue_id}/items/query`, { project_id });
  for (const [at, { call_id }] of items.entries())
    await post('/feedback/create', {
      ...{ project_id, trace_ref: `hone:///${PROJECT}/call/${call_id}`, queue_id: drawn.queue_id },
      ...{ feedback_type: TRUTH.feedback_type, annotation_ref: `hone:///${PROJECT}/object/good:latest` },
      payload: { value: at % 4 > 0 },
    });
}

/** Two candidates, one of which is the baseline of the other. */
async function evaluate(get, post) {
  const rows = ['cat', 'dog', 'green'].map((word) => ({ question: `repeat: ${word}`, expected: word }));
  await post(`${BASE}/datasets`, { name: 'words', rows });
  const right = { kind: 'check', check: { check: 'exact', reference: 'inputs.expected' } };
  await post(`${BASE}/scorers`, { name: 'right', definition: right });
  const { pairwise } = SCORERS.better;
  const definition = { kind: 'pairwise', pairwise: { ...pairwise, against: null } };
  await post(`${BASE}/scorers`, { name: 'beside', definition });
  const job = await post('/evaluation/runs', {
    ...{ project_id, dataset: 'words', scorers: ['right', 'beside'], baseline: 'cold', seed: 3, trials: 2 },
    candidates: [0, 1.5].map((temperature) => ({
      ...{ name: temperature > 0 ? 'warm' : 'cold', model: 'hone-tiny' },
      parameters: { temperature, max_tokens: 16 },
    })),
  });
  const { candidates } = await untilOver(get, `/evaluation/runs/${job.id}`);
  return { job: job.id, runs: candidates.map(({ evaluation_run_id }) => evaluation_run_id) };
}

/** New calls are judged as they end. */
async function monitor(get, post) {
  const body = { project_id, name: 'live', scorer: 'berlin', sample_rate: 1, max_cost_usd_per_day: 2 };
  const { id } = await post('/evaluation/monitors', body);
  const messages = [{ role: 'user', content: 'repeat: ox' }];
  await post('/v1/chat/completions', { model: 'hone-tiny', messages, max_tokens: 8 }, { 'Hone-Project': PROJECT });
  for (;;) {
    const { today } = await get(`/evaluation/monitors/${id}`);
    if ((today?.counts.done ?? 0) > 0) return;
    await sleep(200);
  }
}

async function bringScores(post) {
  const score = { id: 'own', traceId: 'ab'.repeat(16), name: 'tone', value: 'kind', dataType: 'CATEGORICAL' };
  const span = { traceId: score.traceId, spanId: 'cd'.repeat(8), name: 'answer' };
  const times = { startTimeUnixNano: '1768471140000000000', endTimeUnixNano: '1768471141000000000' };
  const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, ...times }] }] }] };
  await post('/otel/v1/traces', spans, { 'Hone-Project': PROJECT });
  await post('/feedback/import', { project_id, format: 'langfuse', scores: [{ ...score, source: 'ANNOTATION' }] });
}

async function untilOver(get, path) {
  for (;;) {
    const found = await get(path);
    if (found.finished_at !== null && OVER.includes(found.status)) {
      if (found.status !== 'done') throw new Error(`${path}: ${JSON.stringify(found)}`);
      return found;
    }
    await sleep(200);
  }
}

/**
 * Leaves a scoring of a project of its own half done: its process is killed while models judge.
 *
 * @returns id of the scoring
 */
export async function leaveJudging({ get, post }, kill) {
  const { id } = await post('/evaluation/scorings', { project_id: HALF, scorer: 'helpful' });
  for (let done = 0; done < 2; await sleep(20)) ({ done } = (await get(`/evaluation/scorings/${id}`)).counts);
  await kill('evaluation');
  return id;
}

/** Requests whose answers must stay as they are. */
export const judgingRequests = ({ scorings, reports, job, runs }) => [
  ...scorings.map((id) => ['GET', `/evaluation/scorings/${id}`]),
  ['GET', `/evaluation/scorings?project_id=${PROJECT}`],
  ['GET', `/evaluation/monitors?project_id=${PROJECT}`],
  ['GET', `/evaluation/runs/${job}`],
  ['POST', '/evaluation/reports', { project_id, ...BERLIN }],
  ['POST', '/evaluation/reports', { project_id, scorer: 'helpful', criterion: 'helpful' }],
  ['POST', '/evaluation/reports', { project_id, scorer: 'better', criterion: 'win' }],
  ['POST', '/evaluation/label-plans', { project_id, ...BERLIN, width: 0.05 }],
  ...reports.map((id) => ['GET', `/evaluation/bias-reports/${id}`]),
  ['POST', '/evaluation/compare', { project_id, runs }],
  ['POST', `${BASE}/eval_results/query`, { evaluation_run_ids: runs }],
  ['GET', `${BASE}/evaluation_runs`],
  ['POST', '/feedback/query', { project_id }],
];
