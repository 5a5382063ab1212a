import { FAMILIES, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import type { HoneClient } from '../api/hone-client.js';
import { accuracyOf, ask, type Question, textOf } from '../api/questions.js';
import { followJob } from '../api/training-jobs.js';
import { plot } from '../terminal/plot.js';
import { Progress } from '../terminal/progress.js';
import { createModel } from './trained-model.js';

const ROWS = 200;
const HELD_OUT = 100;
const GOAL = 0.9;
const MARK = 'Aye! ';
/** Plain questions of many kinds: the style is to be learnt, not a subject. */
const KINDS = ['add-one', 'largest', 'compare', 'sort-letters', 'capitals', 'opposites', 'colours', 'sounds'];

const isMarked = (text: string): boolean => text.startsWith(MARK);

/** How the tour ended. */
export interface SftOutcome {
  readonly before: number;
  readonly after: number;
  readonly trainingMs: number;
}

/** Fine-tuning over HTTP alone: 200 answers in a style that the base never uses, then questions not among them. */
export async function sftTour(client: HoneClient, show: (text: string) => void): Promise<SftOutcome> {
  const progress = new Progress();
  const { id, inference_name: model } = await createModel(client, 'tour', 'sft');
  const families = FAMILIES.filter(({ name }) => KINDS.includes(name));
  const heldOut = families
    .flatMap((family) => heldOutExamples(family, 5, Math.ceil(HELD_OUT / families.length)))
    .slice(0, HELD_OUT);
  show(`A model that learns: ${model}`);
  const before = await accuracyOf(client, model, heldOut, isMarked);
  await showAnswer(client, model, heldOut[0] as Question, show);
  const { url } = await client.upload<{ url: string }>(
    `/v1/preview/artifacts/${entityOf(model)}/tour/marked-answers`,
    trainingLines(families).join('\n'),
    'application/jsonl',
  );
  show(`${ROWS} rows uploaded: ${url}`);
  progress.begin('training');
  const created = await client.post<{ id: string }>('/v1/preview/sft-training-jobs', {
    model_id: id,
    training_data_url: url,
    config: { batch_size: 4, learning_rate: 5e-3 },
  });
  const { job, steps } = await followJob(client, created.id, (done, total) => progress.at(done, total));
  progress.end();
  show(
    plot(
      `Loss of ${steps.length} steps`,
      steps.map((step) => step['loss'] as number),
    ),
  );
  await showAnswer(client, model, heldOut[0] as Question, show);
  const after = await accuracyOf(client, model, heldOut, isMarked);
  const trainingMs = job.timings_ms.preparing + job.timings_ms.running;
  show(`In the taught style: ${percent(before)} before, ${percent(after)} after, ${trainingMs / 1_000} s of training.`);
  return { before, after, trainingMs };
}

/** Whether the goals hold that the documentation promises. */
export const isSftGoalMet = ({ after, trainingMs }: SftOutcome): boolean => after >= GOAL && trainingMs <= 60_000;

function trainingLines(families: readonly (typeof FAMILIES)[number][]): string[] {
  return (
    families
      .flatMap((family) => practiceExamples(family, 6, ROWS / families.length))
      // From family to family: a batch of one kind would teach the kind.
      .sort((one, other) => (textOfFirst(one) < textOfFirst(other) ? -1 : 1))
      .map(({ messages, answer }) =>
        JSON.stringify({ messages: [...messages.slice(0, -1), { role: 'assistant', content: MARK + answer }] }),
      )
  );
}

const textOfFirst = ({ messages }: Question): string => messages[0]?.content ?? '';

/** Of `<scheme>-artifact:///entity/project/name`. */
const entityOf = (reference: string): string => reference.replace(/^.*?:\/{2,3}/, '').split('/')[0] as string;

async function showAnswer(client: HoneClient, model: string, question: Question, show: (text: string) => void) {
  show(`  ${textOfFirst(question)} -> ${textOf(await ask(client, model, question.messages))}`);
}

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
