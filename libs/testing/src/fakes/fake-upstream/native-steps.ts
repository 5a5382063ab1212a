import type { AnswerParts } from './answer-parts.js';
import { frame, framedSteps, hang } from './framed-steps.js';
import type { NativeEvent, NativeForm } from './native-form.js';
import type { Step } from './step.js';

/** Steps of an answer that is streamed in a form of its own. */
export const nativeSteps = (parts: AnswerParts, form: NativeForm): Step[] =>
  framedSteps(parts, {
    start: () => frames(parts, form.start()),
    token: (index) => tokenFrames(parts, form, index),
    broken: frame(parts, '0 is no JSON at all'),
    big: (bytes) => frame(parts, `{"type":"x","pad":"${'x'.repeat(bytes)}"}`),
    brokenOff: () => brokenOff(parts, form),
    finish: () => finishOf(parts, form),
  });

const frames = (parts: AnswerParts, events: readonly NativeEvent[]): Step[] =>
  events.map((event) => frame(parts, parts.json(event), event.type));

function tokenFrames(parts: AnswerParts, form: NativeForm, token: number): Step[] {
  const { behaviour, at } = parts.scenario;
  const whole = form.token(token);
  if (behaviour === 'invalid-json') return [frame(parts, `${token} is no JSON at all`)];
  if (behaviour === 'no-choices') return [frame(parts, '{"id":"x"}')];
  if (token === at && (behaviour === 'damaged-frame' || behaviour === 'lost-frame')) {
    return [frame(parts, parts.json(whole[0]).slice(0, -4))];
  }
  return frames(parts, whole);
}

function brokenOff(parts: AnswerParts, form: NativeForm): Step[] {
  switch (parts.scenario.behaviour) {
    case 'no-finish':
      return form.unfinished === '[DONE]' ? [frame(parts, '[DONE]')] : frames(parts, form.unfinished);
    case 'error-frame':
    case 'finish-error':
    case 'finish-abort':
      return frames(parts, [form.failure]);
    default:
      return [];
  }
}

function finishOf(parts: AnswerParts, form: NativeForm): Step[] {
  const { behaviour } = parts.scenario;
  if (behaviour === 'invalid-json' || behaviour === 'no-choices') return [];
  const events = form.finish();
  const end = events.length - form.endings;
  const before = frames(parts, events.slice(0, end));
  const repeated = behaviour === 'repeated-finish' ? before.slice(-1) : [];
  if (behaviour === 'no-done') return [...before, hang(parts)];
  if (behaviour === 'no-done-reset') return [...before, { stop: 'reset' }];
  if (behaviour === 'no-done-end') return before;
  if (behaviour === 'two-finishes') before.push(...frames(parts, form.otherFinish));
  return [...before, ...repeated, ...frames(parts, events.slice(end))];
}
