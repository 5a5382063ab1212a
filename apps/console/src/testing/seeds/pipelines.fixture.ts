import type { Hone, PipelineDto } from '@hone/client';

/** A pipeline over calls that nobody judged: its runs end soon, and say so. */
export async function seedPipeline(hone: Hone, project_id: string, name: string): Promise<PipelineDto> {
  const [entity = '', project = ''] = project_id.split('/');
  const place = { entity, project };
  const model = await hone.training.createTrainableModel({
    ...{ ...place, name: 'small', base_model: 'hone-tiny', return_existing: true },
  });
  await hone.trace.createDataset(place, { name: 'sums', rows: [{ question: 'What is 1 plus 1?', expected: '2' }] });
  const check = { check: 'exact', reference: 'inputs.expected' };
  await hone.trace.createScorer(place, { name: 'right', definition: { kind: 'check', check } } as never);
  return hone.evaluation.createPipeline({
    ...{ project_id, name, model_id: model.id, every_hours: 24, promote_to: 'production' },
    ...{ data: { kind: 'thumbs' }, evaluate: { dataset: 'sums', scorers: ['right'] } },
    gate: { metric: 'scores.right.passed' },
  });
}
