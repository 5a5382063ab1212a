import type { Hone } from '@hone/client';

import { HOSTILE } from './hostile.fixture.js';

export interface SeededRuns {
  /** Ids of the runs, in the order of their models. */
  readonly runs: readonly string[];
  readonly evaluation: string;
}

/** Rows of a run: each has a question, and `rightOf` says which model answers it. */
const ROWS = 12;

/** A run of an evaluation of a dataset of four rows: one is predicted, one failed, two are missing. @returns its id */
export async function seedBrokenRun(hone: Hone, projectId: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const rows = Array.from({ length: 4 }, (_, n) => ({ q: `Row ${n}` }));
  await hone.trace.createDataset(place, { name: 'broken', rows });
  const dataset = `hone:///${projectId}/object/broken:v0`;
  const { evaluation_ref: evaluation } = await hone.trace.createEvaluation(place, { name: 'broken-smoke', dataset });
  const model = `hone:///${projectId}/op/broken-model:v0`;
  const { evaluation_run_id } = await hone.trace.createEvaluationRun(place, { evaluation, model });
  const prediction = { model, evaluation_run_id };
  await hone.trace.createPrediction(place, { ...prediction, inputs: { q: 'Row 0' }, output: 'fine' });
  const exception = `${HOSTILE.script} timed out`;
  await hone.trace.createPrediction(place, { ...prediction, inputs: { q: 'Row 1' }, exception });
  return evaluation_run_id;
}

/** The dataset of the rows that {@link seedEvaluation} asks. @returns id of its object */
export async function seedAskedRows(hone: Hone, projectId: string, name: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const rows = Array.from({ length: ROWS }, (_, row) => inputsOf(row));
  return (await hone.trace.createDataset({ entity, project }, { name, rows })).object_id;
}

const inputsOf = (row: number) => ({ q: `What is ${row}+1?`, ...(row === 1 && { odd: HOSTILE.script }) });

/** An evaluation on a dataset, and a run of it for each model. @param models name -> of how many rows each misses one */
export async function seedEvaluation(
  hone: Hone,
  projectId: string,
  dataset: string,
  models: Readonly<Record<string, number>>,
): Promise<SeededRuns> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const scorer = await hone.trace.createScorer(place, {
    name: 'exact',
    op_source_code: 'def score(output, a):\n    return output == a\n',
  });
  const ref = `hone:///${projectId}/object/${dataset}:v0`;
  const made = await hone.trace.createEvaluation(place, { name: 'smoke', dataset: ref, scorers: [scorer.scorer] });
  const runs: string[] = [];
  for (const [name, every] of Object.entries(models)) {
    const { model_ref: model } = await hone.trace.createModelVersion(place, {
      ...{ name, source_code: `class M:\n    """${name}"""\n` },
    });
    runs.push(await seedRun(hone, place, { evaluation: made.evaluation_ref, model, scorer: scorer.scorer, every }));
  }
  return { runs, evaluation: made.object_id };
}

interface RunSeed {
  readonly evaluation: string;
  readonly model: string;
  readonly scorer: string;
  readonly every: number;
}

async function seedRun(hone: Hone, place: { entity: string; project: string }, seed: RunSeed): Promise<string> {
  const { evaluation, model, scorer, every } = seed;
  const { evaluation_run_id } = await hone.trace.createEvaluationRun(place, { evaluation, model });
  for (let row = 0; row < ROWS; row++) {
    const isRight = row % every !== 0;
    const output = isRight ? String(row + 1) : `${HOSTILE.script} I am not sure`;
    const prediction = { model, inputs: inputsOf(row), output, evaluation_run_id };
    const { prediction_id } = await hone.trace.createPrediction(place, prediction);
    await hone.trace.createScore(place, { prediction_id, scorer, value: { correct: isRight, length: output.length } });
  }
  await hone.trace.finishEvaluationRun({ ...place, evaluation_run_id }, { summary: { rows: ROWS } });
  return evaluation_run_id;
}

/** Rows of {@link seedJudgedRuns}, half of them of each topic. */
const JUDGED_ROWS = 24;

interface JudgedRuns {
  /** Ids of the runs, the baseline first. */
  readonly runs: readonly [string, string];
  readonly predictions: readonly (readonly string[])[];
}

/**
 * Two runs that a check and a judge scored: the second is better about orders and worse about refunds, and its answers are
 * longer.
 *
 * @param scorers ids of a check and of a judge of the project
 */
export async function seedJudgedRuns(
  hone: Hone,
  projectId: string,
  { check, judge }: { readonly check: string; readonly judge: string },
): Promise<JudgedRuns> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const rows = Array.from({ length: JUDGED_ROWS }, (_, n) => ({
    ...{ question: `Where is order ${n}?`, expected: `Order ${n} is on its way.` },
    topic: n % 2 === 0 ? 'orders' : 'refunds',
  }));
  const made = await hone.trace.createDataset(place, { name: 'support-questions', rows });
  const ref = (id: string) => `hone:///${projectId}/object/${id}:v0`;
  const scorers = [ref(check), ref(judge)];
  const dataset = ref(made.object_id);
  const { evaluation_ref } = await hone.trace.createEvaluation(place, { name: 'support', dataset, scorers });
  const found = await Promise.all(
    ['assistant', 'assistant-long'].map(async (name, at) => {
      const { model_ref: model } = await hone.trace.createModelVersion(place, { name, source_code: `# ${name}` });
      const run = { evaluation: evaluation_ref, model };
      const { evaluation_run_id } = await hone.trace.createEvaluationRun(place, run);
      const predictions: string[] = [];
      for (const [n, inputs] of rows.entries()) {
        const isGood = at === 0 ? n % 4 === 1 || n % 4 === 3 : inputs.topic === 'orders';
        const output = `${isGood ? 'Thank you: order' : 'Order'} ${n} is on its way.${at === 1 ? ' It left today.' : ''}`;
        const prediction = { model, inputs, output, evaluation_run_id };
        const { prediction_id } = await hone.trace.createPrediction(place, prediction);
        predictions.push(prediction_id);
        await hone.trace.createScore(place, { prediction_id, scorer: ref(check), value: { passed: isGood } });
        const helpful = (isGood ? 4 : 2) + Number(at === 1 && n % 3 === 0);
        await hone.trace.createScore(place, { prediction_id, scorer: ref(judge), value: { helpful } });
      }
      await hone.trace.finishEvaluationRun({ ...place, evaluation_run_id }, { summary: { rows: JUDGED_ROWS } });
      return { run: evaluation_run_id, predictions };
    }),
  );
  const [baseline, candidate] = found as [(typeof found)[number], (typeof found)[number]];
  return { runs: [baseline.run, candidate.run], predictions: [baseline.predictions, candidate.predictions] };
}

/** Rows of {@link seedPairs}. */
const PAIRED_ROWS = 8;

/** Two candidates on the server, of whose answers a judge finds the better one. @returns ids of their runs, the baseline first */
export async function seedPairs(hone: Hone, projectId: string): Promise<readonly string[]> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const rows = Array.from({ length: PAIRED_ROWS }, (_, n) => ({ question: `repeat: ${n}`, expected: String(n) }));
  await hone.trace.createDataset(place, { name: 'repeated', rows });
  const { object_id: judge } = await hone.trace.createScorer(place, {
    name: 'better answer',
    definition: {
      kind: 'pairwise',
      pairwise: {
        ...{ model: 'hone-tiny', against: 'inputs.expected', max_tokens: 64 },
        messages: [{ role: 'user', content: 'Asked: {{inputs.question}}\nFirst: {{first}}\nSecond: {{second}}' }],
      },
    },
  });
  const candidate = (name: string, temperature: number) => ({
    ...{ name, model: 'hone-tiny', parameters: { temperature, max_tokens: 16 } },
  });
  const { id, candidates } = await hone.evaluation.createEvaluationJob({
    ...{ project_id: projectId, dataset: 'repeated', scorers: [judge], baseline: 'cold' },
    candidates: [candidate('cold', 0), candidate('warm', 1.5)],
  });
  await untilEvaluated(hone, id);
  return candidates.map(({ evaluation_run_id }) => evaluation_run_id);
}

/** An evaluation on the server whose model nobody has, so that all of its answers failed. @returns id of its run */
export async function seedFailedJob(
  hone: Hone,
  projectId: string,
  { dataset, scorer }: { readonly dataset: string; readonly scorer: string },
): Promise<string> {
  const { id, candidates } = await hone.evaluation.createEvaluationJob({
    ...{ project_id: projectId, dataset, scorers: [scorer], candidates: [{ model: 'not-yet-there' }] },
  });
  await untilEvaluated(hone, id);
  return candidates[0]?.evaluation_run_id ?? '';
}

/** Waits until an evaluation on the server has ended. */
export async function untilEvaluated(hone: Hone, job_id: string): Promise<void> {
  while ((await hone.evaluation.getEvaluationJob({ job_id })).finished_at === null)
    await new Promise((resolve) => setTimeout(resolve, 100));
}
