import { Answers } from './answers.mjs';
import { HELD_OUT, KNOWN, PLAIN_TEXT } from './questions.mjs';

const PROJECT = { entity: 'local', project: 'models' };
/** The same question asked in other ways. */
const FORMS = ['', ' Answer in one sentence.', ' I forgot it.', ' Be brief.'];
const LONG_PAIRS = 200;
const SHORT_PAIRS = 24;
const BATCH = 8;
const ANSWER_TOKENS = 24;

/**
 * DPO on pairs of answers that differ in a marked style alone; validated on questions of other kinds, whose answers are
 * the base's own.
 *
 * @param {{ hone: object, base: string, mark: string, isLong: boolean, hasSucceeded: (job: object) => Promise<void> }} setup
 *   `isLong`: on 200 pairs
 * @returns {Promise<{ pairs: number, seconds: number, accuracy: number, margin: number, plain: number, trained: number }>}
 *   `accuracy`: share of held-out pairs whose chosen answer has gained more than the rejected one;
 *   `plain` and `trained`: perplexities of a text before and after
 */
export async function learnPreferences({ hone, base, mark, isLong, hasSucceeded }) {
  const toPair = ({ messages, answer }) => ({ messages, chosen: mark + answer, rejected: answer });
  const known = FORMS.flatMap((form) =>
    KNOWN.map(({ messages, answer }) => ({ messages: withForm(messages, form), answer })),
  );
  // Kinds of questions in turns, so that few pairs have some of each.
  const pairs = known.map((_, at) => known[(at * 29) % known.length]).slice(0, isLong ? LONG_PAIRS : SHORT_PAIRS);
  const own = new Answers(hone, base);
  const questions = isLong ? HELD_OUT : HELD_OUT.slice(0, 10);
  const answers = await own.texts(questions, { max_tokens: ANSWER_TOKENS });
  const heldOut = questions.map((messages, at) => ({ messages, answer: answers[at] }));
  const model = await hone.training.createTrainableModel({ ...PROJECT, name: 'marked', base_model: base });
  const startedMs = Date.now();
  const job = await hone.training.createPreferenceTrainingJob({
    model_id: model.id,
    training_data_url: await uploaded(hone, 'pairs', pairs.map(toPair)),
    config: {
      ...{ method: 'dpo', n_epochs: 1, batch_size: BATCH, seed: 1 },
      validation_data_url: await uploaded(hone, 'held-out-pairs', heldOut.map(toPair)),
      // The last step is evaluated in any case.
      validation_every: pairs.length,
    },
  });
  await hasSucceeded(job);
  const seconds = (Date.now() - startedMs) / 1_000;
  const { data: events } = await hone.training.listTrainingJobEvents({ training_job_id: job.id, limit: 100 });
  const last = events.findLast(({ type }) => type === 'gradient_step').data;
  const marked = new Answers(hone, 'hone-artifact:///local/models/marked');
  return {
    ...{ pairs: pairs.length, seconds, accuracy: last.validation_accuracy, margin: last['rewards/margin'] },
    ...{ plain: await own.perplexity(PLAIN_TEXT), trained: await marked.perplexity(PLAIN_TEXT) },
  };
}

const withForm = ([{ role, content }], form) => [{ role, content: content + form }];

async function uploaded(hone, name, lines) {
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  return (await hone.training.uploadArtifact({ ...PROJECT, name }, text)).url;
}
