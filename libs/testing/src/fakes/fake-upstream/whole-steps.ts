import type { AnswerParts } from './answer-parts.js';
import { numberOf } from './scenario.js';
import type { Step } from './step.js';

const MIB = 1_048_576;

/** What bodies are made of. */
interface WholeForm {
  /** The answer of `count` tokens; a reason of null: it has not ended. */
  whole(count?: number, finishReason?: string | null): string;
  readonly error: string;
}

/** Steps of an answer that is not streamed. A fault after n tokens occurs in the middle of the body. */
export function wholeSteps(parts: AnswerParts, form: WholeForm = parts): Step[] {
  const { behaviour, at } = parts.scenario;
  const whole = form.whole();
  const half = { write: whole.slice(0, whole.length / 2) };
  switch (behaviour) {
    case 'cut':
      return [half, { stop: 'close' }];
    case 'cut-reset':
      return [half, { stop: 'reset' }];
    case 'clean-end':
      return [half, { stop: 'end' }];
    case 'stall':
    case 'headers-only':
      return [half, hang(parts)];
    case 'no-finish':
      return body(form.whole(at, null));
    case 'finish-error':
      return body(form.whole(at, 'error'));
    case 'finish-abort':
      return body(form.whole(at, 'abort'));
    case 'damaged-frame':
      return body(whole.slice(0, whole.length / 2) + whole.slice(whole.length / 2 + 40));
    case 'invalid-json':
      return body('This is no JSON at all');
    case 'no-choices':
      return body('{"id":"chatcmpl-x","object":"chat.completion"}');
    case 'error-frame':
    case 'error-body':
      return body(form.error);
    case 'big-body':
    case 'big-frame':
      return body(`{"pad":"${'x'.repeat(at * MIB)}",${whole.slice(1)}`);
    default:
      return body(whole);
  }
}

const body = (text: string): Step[] => [{ write: text }, { stop: 'end' }];

function hang({ scenario }: AnswerParts): Step {
  const everyMs = numberOf(scenario, 'pings', 0);
  return everyMs > 0 ? { repeat: '\n', everyMs } : { stop: 'hang' };
}
