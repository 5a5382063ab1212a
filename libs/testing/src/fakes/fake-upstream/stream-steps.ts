import type { AnswerParts } from './answer-parts.js';
import { frame, framedSteps, hang } from './framed-steps.js';
import type { Step } from './step.js';

const LATE_FRAMES = 200;
const BROKEN = '{"id":"chatcmpl-x","obj';

/** Steps of a streamed chat completion. */
export function streamSteps(parts: AnswerParts): Step[] {
  const choices = Array.from({ length: parts.request.n }, (_, choice) => choice);
  const opening = { role: 'assistant', content: '' };
  const toFrame = (choice: number, delta: object) => frame(parts, parts.chunk([parts.choice(choice, delta, null)]));
  return framedSteps(parts, {
    start: () => choices.map((choice) => toFrame(choice, opening)),
    token: (index) => choices.map((choice) => tokenFrame(parts, index, choice)),
    broken: frame(parts, BROKEN),
    big: (bytes) => toFrame(0, { content: 'x'.repeat(bytes) }),
    brokenOff: () => brokenOff(parts),
    finish: () => finishOf(parts),
  });
}

function tokenFrame(parts: AnswerParts, token: number, choice: number): Step {
  const { behaviour, at } = parts.scenario;
  const chunk = parts.chunk([parts.choice(choice, parts.delta(token), null)]);
  if (token === at && behaviour === 'damaged-frame') {
    const text = JSON.stringify(parts.tokens[token]).slice(1, 2);
    return frame(parts, chunk.slice(0, chunk.lastIndexOf('"content":"') + '"content":"'.length) + text);
  }
  if (token === at && behaviour === 'lost-frame') return frame(parts, BROKEN);
  if (behaviour === 'invalid-json') return frame(parts, `${token} is no JSON at all`);
  if (behaviour === 'no-choices') return frame(parts, '{"id":"chatcmpl-x"}');
  return frame(parts, chunk);
}

function brokenOff(parts: AnswerParts): Step[] {
  const { behaviour } = parts.scenario;
  const finish = (reason: string) => frame(parts, parts.chunk([parts.choice(0, {}, reason)]));
  switch (behaviour) {
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
  if (behaviour === 'late-bytes') steps.push(...lateFrames(parts));
  return steps;
}

const lateFrames = (parts: AnswerParts): Step[] =>
  Array.from({ length: LATE_FRAMES }, () => [frame(parts, '{"late":true}'), { waitMs: 5 }]).flat();

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

const done = (parts: AnswerParts): Step => frame(parts, '[DONE]');
