import type { AnswerParts } from './answer-parts.js';
import { numberOf } from './scenario.js';
import type { Step } from './step.js';

/** A streamed answer in one of the forms. */
export interface FramedAnswer {
  /** Before the tokens. */
  start(): Step[];
  token(index: number): Step[];
  /** A frame that is no JSON, and has no text of the answer. */
  readonly broken: Step;
  /** A frame of `bytes` bytes, and more. */
  big(bytes: number): Step;
  /** What comes in place of an end, if it is neither silence nor the end of the connection. */
  brokenOff(): Step[];
  /** From the last token to the end. */
  finish(): Step[];
}

const MIB = 1_048_576;

/** Steps of a streamed answer, from the first frame to its end: each behaviour strikes every form in the same place. */
export function framedSteps(parts: AnswerParts, answer: FramedAnswer): Step[] {
  const { behaviour, modifiers } = parts.scenario;
  const steps = answer.start();
  if (behaviour === 'headers-only') steps.push(hang(parts));
  const firstMs = numberOf(parts.scenario, 'first', 0);
  if (firstMs > 0) steps.push({ waitMs: firstMs });
  addTokens(parts, answer, steps);
  steps.push(...(isOverAfterTokens(parts) ? brokenOff(parts, answer) : answer.finish()));
  steps.push({ stop: 'end' });
  return modifiers.has('one-chunk') ? joined(steps) : steps;
}

/** Into the list, as an answer may have more tokens than a call takes arguments. */
function addTokens(parts: AnswerParts, answer: FramedAnswer, steps: Step[]): void {
  const { behaviour, at } = parts.scenario;
  const paceMs = numberOf(parts.scenario, 'pace', 0);
  const count = isOverAfterTokens(parts) ? Math.min(at, parts.tokens.length) : parts.tokens.length;
  for (let token = 0; token < count; token++) {
    if (paceMs > 0 && token > 0) steps.push({ waitMs: paceMs });
    if (token === at && behaviour === 'broken-frame') steps.push(answer.broken);
    if (token === 1 && behaviour === 'big-frame') steps.push(answer.big(at * MIB));
    steps.push(...answer.token(token));
  }
}

function brokenOff(parts: AnswerParts, answer: FramedAnswer): Step[] {
  switch (parts.scenario.behaviour) {
    case 'cut':
      return [{ stop: 'close' }];
    case 'cut-reset':
      return [{ stop: 'reset' }];
    case 'stall':
      return [hang(parts)];
    default:
      return answer.brokenOff();
  }
}

/** Behaviours that leave an answer unfinished. */
const OVER_AFTER_TOKENS = new Set<string>([
  'cut',
  'cut-reset',
  'clean-end',
  'no-finish',
  'stall',
  'error-frame',
  'finish-error',
  'finish-abort',
]);

const isOverAfterTokens = ({ scenario }: AnswerParts): boolean => OVER_AFTER_TOKENS.has(scenario.behaviour);

export function hang({ scenario }: AnswerParts): Step {
  const everyMs = numberOf(scenario, 'pings', 0);
  return everyMs > 0 ? { repeat: ': ping\n\n', everyMs } : { stop: 'hang' };
}

/** @param event its name; absent: it has none */
export function frame({ scenario: { modifiers } }: AnswerParts, data: string, event?: string): Step {
  const eol = modifiers.has('crlf') ? '\r\n' : '\n';
  const comment = modifiers.has('comments') ? `: a comment${eol}${eol}` : '';
  const lines = modifiers.has('multi-line') ? data.split(/(?<=,)(?="(?:object|choices)")/) : [data];
  const named = event === undefined ? '' : `event: ${event}${eol}`;
  return { write: comment + named + lines.map((line) => `data: ${line}${eol}`).join('') + eol };
}

/** Neighbouring writes as one. */
function joined(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  for (const step of steps) {
    const last = result.at(-1);
    if (last && 'write' in last && 'write' in step) result[result.length - 1] = { write: last.write + step.write };
    else result.push(step);
  }
  return result;
}
