import { createHash } from 'node:crypto';

import { type Conversation, type Example, type Family, promptOf } from './example.js';
import { colours, opposites, sounds } from './families/facts.js';
import { FAMILIES, shareOf } from './families/families.js';
import { greetings } from './families/greetings.js';
import { Random } from './random.js';
import { SPECIAL } from './special-tokens.js';

/** Number of prompts, out of 256 of an open family, that are for evaluation only. */
const HELD_OUT_OF_256 = 32;
const SYSTEM_PROMPTS = ['You are a helpful assistant.', 'Answer briefly.', 'Be exact.', 'You are Hone Tiny.'];
/** Closed families: an earlier turn must never show a prompt that is kept for evaluation. */
const SMALL_TALK: readonly Family[] = [greetings, opposites, colours, sounds];

/** Examples without end, families mixed by their share; the same seed gives the same examples. */
export function* trainingExamples(seed: number): Generator<Example, never> {
  const random = Random.of(seed, 'training');
  const shares = FAMILIES.map(shareOf);
  for (;;) {
    const family = FAMILIES[random.weighted(shares)] as Family;
    yield inContext(inEitherForm(drawOf(family, random, false), random), random);
  }
}

/**
 * `count` examples to measure a family with, each a plain question without system prompt. Their prompts never occur
 * in training, unless the family is closed.
 */
export function heldOutExamples(family: Family, seed: number, count: number): Example[] {
  const random = Random.of(seed, `held out/${family.name}`);
  return random.list(count, () => drawOf(family, random, true));
}

/** `count` plain examples of one family from the side of training: what a learner may practise on. */
export function practiceExamples(family: Family, seed: number, count: number): Example[] {
  const random = Random.of(seed, `practice/${family.name}`);
  return random.list(count, () => drawOf(family, random, false));
}

function drawOf(family: Family, random: Random, heldOut: boolean): Example {
  for (;;) {
    const drawn = family.example(random);
    if (family.closed || isHeldOut(drawn) === heldOut) {
      return { ...drawn, family: family.name, answer: answerOf(drawn) };
    }
  }
}

/** Depends on the text of the last user message only, so that no context moves a prompt from one side to the other. */
function isHeldOut(conversation: Conversation): boolean {
  const asked = promptOf(conversation).findLast(({ role }) => role === 'user')?.content ?? '';
  return (createHash('sha256').update(asked).digest()[0] as number) < HELD_OUT_OF_256;
}

function answerOf({ messages }: Conversation): string {
  const answer = messages.at(-1);
  const calls = (answer?.tool_calls ?? []).map(
    ({ function: { name, arguments: input } }) =>
      `${SPECIAL.toolCall}{"name":${JSON.stringify(name)},"arguments":${input}}`,
  );
  return (answer?.content ?? '') + calls.join('');
}

/** At times an earlier turn (not with tools: those prompts are long enough) or a system prompt before it. */
function inContext(example: Example, random: Random): Example {
  const earlier = !example.tools && random.oneIn(12) ? random.pick(SMALL_TALK).example(random).messages : [];
  const system = random.oneIn(10) ? [{ role: 'system', content: random.pick(SYSTEM_PROMPTS) } as const] : [];
  return { ...example, messages: [...system, ...earlier, ...example.messages] };
}

/** The example, or the same with the wordy answer of a family that is left undecided. */
function inEitherForm(example: Example, random: Random): Example {
  const { otherForm } = example;
  if (!otherForm || random.between(1, 1000) > otherForm.share * 1000) return example;
  const messages = [...promptOf(example), { role: 'assistant', content: otherForm.answer } as const];
  return { ...example, messages, answer: otherForm.answer };
}
