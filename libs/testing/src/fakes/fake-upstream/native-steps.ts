import type { AnswerParts } from './answer-parts.js';
import type { NativeEvent, NativeForm } from './native-form.js';
import { numberOf } from './scenario.js';
import type { Step } from './step.js';
import { frame, hang, isOverAfterTokens, joined } from './stream-steps.js';

const MIB = 1_048_576;

/** Steps of an answer that is streamed in a form of its own: each behaviour strikes where it strikes chat completions. */
export function nativeSteps(parts: AnswerParts, form: NativeForm): Step[] {
  const { behaviour, modifiers } = parts.scenario;
  const steps: Step[] = [...frames(parts, form.start())];
  if (behaviour === 'headers-only') steps.push(hang(parts));
  const firstMs = numberOf(parts.scenario, 'first', 0);
  if (firstMs > 0) steps.push({ waitMs: firstMs });
  steps.push(...tokensOf(parts, form), ...(isOverAfterTokens(parts) ? brokenOff(parts, form) : finishOf(parts, form)));
  steps.push({ stop: 'end' });
  return modifiers.has('one-chunk') ? joined(steps) : steps;
}

const frames = (parts: AnswerParts, events: readonly NativeEvent[]): Step[] =>
  events.map((event) => frame(parts, parts.json(event), event.type));

function tokensOf(parts: AnswerParts, form: NativeForm): Step[] {
  const { behaviour, at } = parts.scenario;
  const paceMs = numberOf(parts.scenario, 'pace', 0);
  const count = isOverAfterTokens(parts) ? Math.min(at, parts.tokens.length) : parts.tokens.length;
  const steps: Step[] = [];
  for (let token = 0; token < count; token++) {
    if (paceMs > 0 && token > 0) steps.push({ waitMs: paceMs });
    if (token === at && behaviour === 'broken-frame') steps.push(frame(parts, '0 is no JSON at all'));
    if (token === 1 && behaviour === 'big-frame')
      steps.push(frame(parts, `{"type":"x","pad":"${'x'.repeat(at * MIB)}"}`));
    steps.push(...tokenFrames(parts, form, token));
  }
  return steps;
}

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
    case 'cut':
      return [{ stop: 'close' }];
    case 'cut-reset':
      return [{ stop: 'reset' }];
    case 'stall':
      return [hang(parts)];
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
