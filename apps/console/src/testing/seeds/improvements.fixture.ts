import type { Hone, ImproveDto, ImprovementDto } from '@hone/client';

const WORDS = [
  ...['apple', 'bread', 'chair', 'dance', 'eagle', 'field', 'glass', 'house', 'juice', 'knife'],
  ...['lemon', 'mouse', 'night', 'ocean', 'paper', 'queen', 'river', 'stone', 'table', 'uncle'],
  ...['violin', 'window', 'yellow', 'zebra'],
];
const PAUSE_MS = 200;

/** A model, and a check that judges its answers. @returns id of the model */
export async function seedImprovable(hone: Hone, project_id: string): Promise<string> {
  const [entity = '', project = ''] = project_id.split('/');
  const model = await hone.training.createTrainableModel({
    ...{ entity, project, name: 'small', base_model: 'hone-tiny', return_existing: true },
  });
  const check = { check: 'regex', pattern: '^[a-z]$' };
  await hone.trace.createScorer({ entity, project }, {
    name: 'one letter',
    definition: { kind: 'check', check },
  } as never);
  return model.id;
}

/** Calls whose answers somebody corrected: the only thing to learn from. */
export async function seedCorrections(hone: Hone, project_id: string): Promise<void> {
  const headers = { 'hone-project': project_id };
  await Promise.all(
    WORDS.map(async (word) => {
      const messages = [{ role: 'user', content: `first letter: ${word}` }];
      const { id } = await hone.inference.createChatCompletion(
        { model: 'hone-tiny', messages, max_tokens: 4 },
        { headers },
      );
      await hone.trace.createFeedback({
        ...{ project_id, completion_id: id, feedback_type: 'hone.correction.1', payload: { output: word.charAt(0) } },
      });
    }),
  );
  while ((await hone.trace.countCalls({ project_id })).count < WORDS.length) await pause();
}

type Body = Omit<ImproveDto, 'project_id' | 'model_id' | 'evaluate'>;

/** An improvement of such a model. */
export const seedImprovement = (hone: Hone, project_id: string, model_id: string, body: Body = {}) =>
  hone.evaluation.improveModel({ ...{ project_id, model_id, evaluate: { scorers: ['one_letter'] } }, ...body });

/** The same once it has ended. */
export async function untilImproved(hone: Hone, { id }: ImprovementDto): Promise<ImprovementDto> {
  for (;;) {
    const improvement = await hone.evaluation.getImprovement({ improvement_id: id as string });
    if (improvement.ended_at !== null) return improvement;
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
