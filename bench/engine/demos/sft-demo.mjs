import { planSft, resolveSftConfig } from '@hone/engine';
import { FAMILIES, heldOutExamples, practiceExamples } from '@hone/engine/hone-tiny';

import { Learner } from './learner.mjs';

const ROWS = 200;
const HELD_OUT = 100;
const MARK = 'Aye! ';
/** Plain questions of many kinds: the style is to be learnt, not a subject. */
const KINDS = ['add-one', 'largest', 'compare', 'sort-letters', 'capitals', 'opposites', 'colours', 'sounds'];

const isMarked = (text) => text.startsWith(MARK);

/** 200 answers that begin in a way the base never does; then questions that were not among them. */
export async function sftDemo(context) {
  const { report, progress } = context;
  const learner = await Learner.open(context);
  const families = FAMILIES.filter(({ name }) => KINDS.includes(name));
  const heldOut = families.flatMap((family) => heldOutExamples(family, 5, Math.ceil(HELD_OUT / families.length)));
  const before = await learner.accuracy(heldOut, isMarked);
  progress.step('sft-demo: one job over 200 rows');
  const lines = families
    .flatMap((family) => practiceExamples(family, 6, ROWS / families.length))
    // From family to family: a batch of one kind would teach the kind.
    .sort((a, b) => (a.messages[0].content < b.messages[0].content ? -1 : 1))
    .map(({ messages, answer }) =>
      JSON.stringify({ messages: [...messages.slice(0, -1), { role: 'assistant', content: MARK + answer }] }),
    );
  const config = resolveSftConfig({ batch_size: 4, learning_rate: 5e-3 });
  const { rows } = await planSft(lines, config, { tokenizer: learner.tokenizer, contextLength: 1024 });
  const metrics = await learner.train('sft', rows);
  const after = await learner.accuracy(heldOut, isMarked);
  const right = await learner.accuracy(heldOut, (text, { answer }) => text === MARK + answer);
  const seconds = learner.trainingMs / 1000;
  report.add({
    measure: `sft-demo: held-out answers in the taught style, ${lines.length} rows`,
    value: after * 100,
    unit: '%',
    peer: before * 100,
    peerName: 'before',
    target: '>= 90 %, <= 60 s',
    isMet: after >= 0.9 && seconds <= 60,
    note: `${seconds.toFixed(1)} s; loss ${metrics[0].loss.toFixed(2)} to ${metrics.at(-1).loss.toFixed(2)}; ${(right * 100).toFixed(0)} % also right`,
  });
  await learner.close();
}
