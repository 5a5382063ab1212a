import { createHash } from 'node:crypto';

import { promptOf, type Conversation, type Example, type Family } from './example.js';
import { colours, opposites, sounds } from './families/facts.js';
import { FAMILIES, shareOf } from './families/families.js';
import { greetings } from './families/greetings.js';
import { Random } from './random.js';
import { SPECIAL } from './special-tokens.js';

/** Of 256 prompts of an open family, so many are for evaluation only. */
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
    yield inContext(drawOf(family, random, 'taught'), random);
  }
}

/**
 * `count` examples to measure a family with, each a plain question without system prompt. Their prompts never occur
 * in training, unless the family is closed.
 */
export function heldOutExamples(family: Family, seed: number, count: number): Example[] {
  const random = Random.of(seed, `held out/${family.name}`);
  return random.list(count, () => drawOf(family, random, 'held out'));
}

/** `count` plain examples of one family to practise on: from the side of training, but also of what is not taught. */
export function practiceExamples(family: Family, seed: number, count: number): Example[] {
  const random = Random.of(seed, `practice/${family.name}`);
  return random.list(count, () => drawOf(family, random, 'practice'));
}

type Side = 'taught' | 'practice' | 'held out';

function drawOf(family: Family, random: Random, side: Side): Example {
  for (;;) {
    const drawn = family.example(random);
    const isOfSide = family.closed || isHeldOut(drawn) === (side === 'held out');
    if (isOfSide && (side !== 'taught' || isTaught(family, drawn))) {
      return { ...drawn, family: family.name, answer: answerOf(drawn) };
    }
  }
}

/** By the item alone, so that no phrasing tells what is kept back. */
export function isTaught({ taughtShare = 1 }: Family, { item }: Conversation): boolean {
  if (taughtShare === 1 || item === undefined) return true;
  return (createHash('sha256').update(item).digest()[0] as number) < 256 * taughtShare;
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
  const earlier = !example.tools && random.oneIn(12) ? smallTalk(random).messages : [];
  const system = random.oneIn(10) ? [{ role: 'system', content: random.pick(SYSTEM_PROMPTS) } as const] : [];
  return { ...example, messages: [...system, ...earlier, ...example.messages] };
}

function smallTalk(random: Random): Conversation {
  for (;;) {
    const family = random.pick(SMALL_TALK);
    const drawn = family.example(random);
    if (isTaught(family, drawn)) return drawn;
  }
}
