import type { AnswerParts } from './answer-parts.js';
import { numberOf } from './scenario.js';
import type { Step } from './step.js';

const MIB = 1_048_576;
const LATE_FRAMES = 200;

/** Steps of a streamed answer, from the first frame to its end. */
export function streamSteps(parts: AnswerParts): Step[] {
  const { behaviour, modifiers } = parts.scenario;
  const steps: Step[] = [...startOf(parts), ...tokensOf(parts)];
  if (isOverAfterTokens(parts)) steps.push(...brokenOff(parts));
  else steps.push(...finishOf(parts));
  if (behaviour === 'late-bytes') {
    for (let count = 0; count < LATE_FRAMES; count++) steps.push(frame(parts, '{"late":true}'), { waitMs: 5 });
  }
  steps.push({ stop: 'end' });
  return modifiers.has('one-chunk') ? joined(steps) : steps;
}

function startOf(parts: AnswerParts): Step[] {
  const steps: Step[] = [];
  for (let index = 0; index < parts.request.n; index++) {
    steps.push(frame(parts, parts.chunk([parts.choice(index, { role: 'assistant', content: '' }, null)])));
  }
  if (parts.scenario.behaviour === 'headers-only') steps.push(hang(parts));
  const firstMs = numberOf(parts.scenario, 'first', 0);
  if (firstMs > 0) steps.push({ waitMs: firstMs });
  return steps;
}

function tokensOf(parts: AnswerParts): Step[] {
  const { behaviour, at } = parts.scenario;
  const paceMs = numberOf(parts.scenario, 'pace', 0);
  const count = isOverAfterTokens(parts) ? Math.min(at, parts.tokens.length) : parts.tokens.length;
  const steps: Step[] = [];
  for (let token = 0; token < count; token++) {
    if (paceMs > 0 && token > 0) steps.push({ waitMs: paceMs });
    if (token === at && behaviour === 'broken-frame') steps.push(frame(parts, '{"id":"chatcmpl-x","obj'));
    if (token === 1 && behaviour === 'big-frame') steps.push(frame(parts, bigChunk(parts)));
    for (let choice = 0; choice < parts.request.n; choice++) steps.push(tokenFrame(parts, token, choice));
  }
  return steps;
}

function tokenFrame(parts: AnswerParts, token: number, choice: number): Step {
  const { behaviour, at } = parts.scenario;
  const chunk = parts.chunk([parts.choice(choice, parts.delta(token), null)]);
  if (token === at && behaviour === 'damaged-frame') {
    const text = JSON.stringify(parts.tokens[token]).slice(1, 2);
    return frame(parts, chunk.slice(0, chunk.lastIndexOf('"content":"') + '"content":"'.length) + text);
  }
  if (token === at && behaviour === 'lost-frame') return frame(parts, '{"id":"chatcmpl-x","obj');
  if (behaviour === 'invalid-json') return frame(parts, `${token} is no JSON at all`);
  if (behaviour === 'no-choices') return frame(parts, '{"id":"chatcmpl-x"}');
  return frame(parts, chunk);
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

export function isOverAfterTokens(parts: AnswerParts): boolean {
  return OVER_AFTER_TOKENS.has(parts.scenario.behaviour);
}

function brokenOff(parts: AnswerParts): Step[] {
  const { behaviour } = parts.scenario;
  const finish = (reason: string) => frame(parts, parts.chunk([parts.choice(0, {}, reason)]));
  switch (behaviour) {
    case 'cut':
      return [{ stop: 'close' }];
    case 'cut-reset':
      return [{ stop: 'reset' }];
    case 'stall':
      return [hang(parts)];
    case 'no-finish':
      return [done(parts)];
    case 'error-frame':
      return [frame(parts, parts.error)];
    case 'finish-error':
      return [finish('error'), done(parts)];
    case 'finish-abort':
      return [finish('abort'), done(parts)];
    default:
      return [];
  }
}

function finishOf(parts: AnswerParts): Step[] {
  const { behaviour, modifiers } = parts.scenario;
  if (behaviour === 'invalid-json' || behaviour === 'no-choices') return [done(parts)];
  const steps = finishFrames(parts);
  const isNative = modifiers.has('native-usage') || behaviour === 'repeated-finish';
  const isReported = parts.request.wantsUsage && !modifiers.has('no-usage') && !isNative;
  if (isReported) steps.push(frame(parts, parts.chunk([], parts.usage)));
  if (behaviour === 'no-done') steps.push(hang(parts));
  else if (behaviour === 'no-done-reset') steps.push({ stop: 'reset' });
  else if (behaviour !== 'no-done-end') steps.push(done(parts));
  return steps;
}

function finishFrames(parts: AnswerParts): Step[] {
  const { behaviour, modifiers } = parts.scenario;
  const all = (reason: string, usage?: Record<string, unknown>) =>
    Array.from({ length: parts.request.n }, (_, index) =>
      frame(parts, parts.chunk([parts.choice(index, {}, reason)], usage)),
    );
  const steps = all(parts.finishReason, modifiers.has('native-usage') ? parts.usage : undefined);
  if (behaviour === 'two-finishes') steps.push(...all('length'));
  if (behaviour === 'repeated-finish') steps.push(...all(parts.finishReason, parts.usage));
  return steps;
}

function bigChunk(parts: AnswerParts): string {
  return parts.chunk([parts.choice(0, { content: 'x'.repeat(parts.scenario.at * MIB) }, null)]);
}

export function hang({ scenario }: AnswerParts): Step {
  const everyMs = numberOf(scenario, 'pings', 0);
  return everyMs > 0 ? { repeat: ': ping\n\n', everyMs } : { stop: 'hang' };
}

const done = (parts: AnswerParts): Step => frame(parts, '[DONE]');

/** @param event its name; absent: it has none */
export function frame({ scenario: { modifiers } }: AnswerParts, data: string, event?: string): Step {
  const eol = modifiers.has('crlf') ? '\r\n' : '\n';
  const comment = modifiers.has('comments') ? `: a comment${eol}${eol}` : '';
  const lines = modifiers.has('multi-line') ? data.split(/(?<=,)(?="(?:object|choices)")/) : [data];
  const named = event === undefined ? '' : `event: ${event}${eol}`;
  return { write: comment + named + lines.map((line) => `data: ${line}${eol}`).join('') + eol };
}

/** Neighbouring writes as one. */
export function joined(steps: readonly Step[]): Step[] {
  const result: Step[] = [];
  for (const step of steps) {
    const last = result.at(-1);
    if (last && 'write' in last && 'write' in step) result[result.length - 1] = { write: last.write + step.write };
    else result.push(step);
  }
  return result;
}
