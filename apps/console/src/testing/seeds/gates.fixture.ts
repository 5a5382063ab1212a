import type { GateCreateDto, GateDto, Hone } from '@hone/client';

import type { SeededScorers } from './scorers.fixture.js';

/** Rows of {@link seedGateRuns}. */
const ROWS = 100;
const AT_ONCE = 8;
/** Shares of the rows that baseline and candidate get right. */
const RATES = [0.4, 0.8] as const;
const PRIME = 7;

/** Two runs that a check and a judge scored, of which the second is far better. @returns their ids, the baseline first */
export async function seedGateRuns(
  hone: Hone,
  projectId: string,
  { check, judge }: Pick<SeededScorers, 'check' | 'judge'>,
): Promise<readonly [string, string]> {
  const [entity = '', project = ''] = projectId.split('/');
  const place = { entity, project };
  const ref = (id: string) => `hone:///${projectId}/object/${id}:v0`;
  const rows = Array.from({ length: ROWS }, (_, n) => ({ question: `Where is parcel ${n}?` }));
  const made = await hone.trace.createDataset(place, { name: 'parcels', rows });
  const scorers = [ref(check), ref(judge)];
  const body = { name: 'parcel-smoke', dataset: ref(made.object_id), scorers };
  const { evaluation_ref: evaluation } = await hone.trace.createEvaluation(place, body);
  const seedRun = async (rate: number): Promise<string> => {
    const name = `answers-${100 * rate}`;
    const { model_ref: model } = await hone.trace.createModelVersion(place, { name, source_code: `# ${name}` });
    const { evaluation_run_id } = await hone.trace.createEvaluationRun(place, { evaluation, model });
    const predict = async (n: number) => {
      const isGood = passes((PRIME * n) % ROWS, rate);
      const output = `${isGood ? 'Thank you! Parcel' : 'I know that parcel'} ${n} is on its way.`;
      const prediction = { model, inputs: rows[n] as object, output, evaluation_run_id };
      const { prediction_id } = await hone.trace.createPrediction(place, prediction as never);
      await hone.trace.createScore(place, { prediction_id, scorer: ref(check), value: { passed: isGood } });
      await hone.trace.createScore(place, { prediction_id, scorer: ref(judge), value: { helpful: isGood ? 5 : 2 } });
    };
    for (let from = 0; from < ROWS; from += AT_ONCE)
      await Promise.all(rows.slice(from, from + AT_ONCE).map((_row, at) => predict(from + at)));
    await hone.trace.finishEvaluationRun({ ...place, evaluation_run_id }, { summary: { rows: ROWS } });
    return evaluation_run_id;
  };
  return [await seedRun(RATES[0]), await seedRun(RATES[1])];
}

/** Spread over the rows. */
const passes = (row: number, rate: number): boolean => Math.floor((row + 1) * rate) > Math.floor(row * rate);

/** A gate, once the service has looked at it. */
export async function seedGate(hone: Hone, project_id: string, body: Omit<GateCreateDto, 'project_id'>) {
  let gate: GateDto = await hone.evaluation.createGate({ project_id, ...body });
  while (gate.status === 'open' && gate.pairs === 0) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    gate = await hone.evaluation.getGate({ gate_id: gate.id });
  }
  return gate;
}

/** What annotators are asked, so that their labels can correct the judge. */
export async function seedQuality(hone: Hone, project_id: string): Promise<string> {
  const val = { name: 'How good?', field_schema: { type: 'integer', minimum: 1, maximum: 5 } };
  const obj = { project_id, object_id: 'how-good', val, builtin_object_class: 'AnnotationSpec' as const };
  await hone.trace.createObject({ obj });
  return 'hone.annotation.how-good';
}
