import { type Hone, NotFoundError } from '@hone/client';

/** Content that breaks pages that trust it. */
export const HOSTILE = {
  script: '<script>document.title = "taken"</script><img src=x onerror="document.title=\'taken\'">',
  word: 'w'.repeat(10_000),
  rightToLeft: '\u202eمرحبا\u202c',
};

/** A project of its own, `local/<name>`. */
export async function makeProject(hone: Hone, name: string): Promise<string> {
  const project_id = `local/${name}`;
  await hone.accounts.createProject({ entity: 'local', name }).catch((error: unknown) => {
    if (error instanceof NotFoundError) throw error;
  });
  return project_id;
}

/** A model in training by examples, with enough of them for some seconds of steps. @returns ids of model and job */
export async function startTraining(hone: Hone, name: string): Promise<{ model: string; job: string }> {
  const place = { entity: 'local', project: 'default' };
  const { id: model } = await hone.training.createTrainableModel({ ...place, name, base_model: 'hone-tiny' });
  const messages = [
    { role: 'user', content: 'Who are you?' },
    { role: 'assistant', content: 'I am Ada, your tutor.' },
  ];
  const lines = `${JSON.stringify({ messages })}\n`.repeat(40);
  const { url } = await hone.training.uploadArtifact({ ...place, name }, lines);
  const { id: job } = await hone.training.createSftTrainingJob({ model_id: model, training_data_url: url });
  return { model, job };
}

/** One trace: a root, two calls within it, one of which failed, and hostile content in all of them. */
export async function seedTrace(hone: Hone, projectId: string, name: string): Promise<string> {
  const [entity = '', project = ''] = projectId.split('/');
  const id = (part: string) => `${name}-${part}`;
  const at = (ms: number) => new Date(Date.now() - 10_000 + ms).toISOString();
  const call = (part: string, parent: string | null, from: number, to: number, more: object = {}) => ({
    ...{ id: id(part), op_name: `${name}.${part}`, trace_id: id('trace'), parent_id: parent && id(parent) },
    ...{ started_at: at(from), ended_at: at(to), attributes: {}, inputs: { q: part }, output: part, summary: {} },
    ...more,
  });
  await hone.trace.completeProjectCalls({ entity, project }, {
    batch: [
      call('root', null, 0, 3_000, {
        display_name: HOSTILE.script,
        inputs: {
          [HOSTILE.script]: HOSTILE.word,
          __proto__x: 1,
          text: HOSTILE.rightToLeft,
          exact: 12345678901234567890n,
        },
        output: { messages: [HOSTILE.script] },
      }),
      call('first', 'root', 100, 1_000),
      call('second', 'root', 1_000, 2_900, { exception: HOSTILE.script }),
    ],
  } as never);
  return id('root');
}
