import type { Narrator } from './narrator.js';

/** The project that the story happens in. */
export interface Stage {
  readonly entity: string;
  readonly project: string;
  /** Of this telling: names that carry it are new each time. */
  readonly tag: string;
  /** Base model that is trained. */
  readonly base: string;
}

const projectIdOf = ({ entity, project }: Stage): string => `${entity}/${project}`;

/** What a model did is stored, versions of things are stored, and people and scorers say what they think of it. */
export async function traceAndJudge(narrator: Narrator, stage: Stage): Promise<void> {
  const callId = `call-${stage.tag}`;
  narrator.chapter('Trace');
  await traceCall(narrator, stage, callId);
  await versionPrompt(narrator, stage);
  narrator.chapter('Judge');
  await giveFeedback(narrator, stage, callId);
  await annotate(narrator, stage, callId);
  narrator.chapter('Models and evaluations, version by version');
  await versionModels(narrator, stage);
}

async function traceCall(narrator: Narrator, stage: Stage, id: string): Promise<void> {
  const start = {
    project_id: projectIdOf(stage),
    id,
    op_name: 'answer',
    started_at: '2026-01-15T09:59:00Z',
    attributes: {},
    inputs: { q: 'reverse: cat' },
  };
  const end = {
    project_id: start.project_id,
    id,
    ended_at: '2026-01-15T09:59:01Z',
    output: 'Backwards it is tac.',
    summary: {},
  };
  await narrator.request('A call: what ran, on what, and what came out.', (hone) =>
    hone.trace.upsertCalls({
      batch: [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ],
    }),
  );
}

async function versionPrompt(narrator: Narrator, stage: Stage): Promise<void> {
  const project_id = projectIdOf(stage);
  for (const text of ['Answer.', 'Answer with the word alone.']) {
    const obj = { project_id, object_id: 'prompt', val: { text } };
    await narrator.request('A version of a prompt.', (hone) => hone.trace.createObject({ obj }));
  }
  const query = { project_id, filter: { latest_only: true, object_ids: ['prompt'] }, include_storage_size: true };
  await narrator.request(
    'The latest of them.',
    (hone) => hone.trace.queryObjects(query),
    ({ objs }) => objs.map(({ version_index, val, size_bytes }) => ({ version_index, val, size_bytes })),
  );
}

async function giveFeedback(narrator: Narrator, stage: Stage, callId: string): Promise<void> {
  const project_id = projectIdOf(stage);
  const trace_ref = `hone:///${project_id}/call/${callId}`;
  const score = { project_id, trace_ref, feedback_type: 'quality', payload: { score: 0.2, why: 'wordy' } };
  await narrator.request(
    'A judgement on the call.',
    (hone) => hone.trace.createFeedback(score),
    ({ id }) => ({ id }),
  );
  const reaction = { project_id, trace_ref, feedback_type: 'hone.reaction.1', payload: { emoji: '👎' } };
  const note = { project_id, trace_ref, feedback_type: 'hone.note.1', payload: { note: 'only the word, please' } };
  await narrator.request(
    'Several at once: all are stored, or none.',
    (hone) => hone.trace.createFeedbackBatch({ batch: [reaction, note] }),
    ({ res }) => ({ stored: res.length }),
  );
  const query = { $expr: { $lt: [{ $getField: 'payload.score' }, { $literal: 0.5 }] } };
  await narrator.request(
    'What was judged badly.',
    (hone) => hone.trace.queryFeedback({ project_id, fields: ['payload.score', 'trace_ref'], query }),
    ({ result }) => result[0],
  );
}

async function annotate(narrator: Narrator, stage: Stage, callId: string): Promise<void> {
  const project_id = projectIdOf(stage);
  const { id: queue_id } = await narrator.request(
    'A queue of calls for people to look at.',
    (hone) => hone.trace.createAnnotationQueue({ project_id, name: `wordy answers ${stage.tag}` }),
    ({ id }) => ({ id }),
  );
  const added = { project_id, call_ids: [callId], display_fields: ['inputs.q', 'output'] };
  await narrator.request('The call joins it.', (hone) => hone.trace.addAnnotationQueueItems({ queue_id }, added));
  const { items } = await narrator.request(
    'What waits in it.',
    (hone) => hone.trace.queryAnnotationQueueItems({ queue_id }, { project_id }),
    ({ items: [first] }) => ({ id: first?.id }),
  );
  const item_id = items[0]?.id as string;
  await narrator.request(
    'Done, for the annotator who says so.',
    (hone) => hone.trace.updateAnnotationProgress({ queue_id, item_id }, { project_id, annotation_state: 'completed' }),
    ({ item }) => ({ call_id: item.call_id }),
  );
}

async function versionModels(narrator: Narrator, stage: Stage): Promise<void> {
  const { entity, project } = stage;
  const model = { name: 'Reverser', source_code: 'class Model:\n    pass\n', attributes: { temperature: 0 } };
  const { object_id, digest } = await narrator.request(
    'A model of your own code.',
    (hone) => hone.trace.createModelVersion({ entity, project }, model),
    ({ object_id: id, digest: version }) => ({ object_id: id, digest: version }),
  );
  await narrator.request(
    'Its version, by digest.',
    (hone) => hone.trace.getModelVersion({ entity, project, object_id, digest }),
    ({ version_index, source_code }) => ({ version_index, source_code }),
  );
  const evaluation = { name: 'words', dataset: `hone:///${projectIdOf(stage)}/object/questions:latest` };
  const made = await narrator.request('An evaluation.', (hone) =>
    hone.trace.createEvaluation({ entity, project }, evaluation),
  );
  await narrator.request('This version goes.', (hone) =>
    hone.trace.deleteEvaluation({ entity, project, object_id: 'words', digests: [made.digest] }),
  );
}
