import type { FakeRequestBody } from './answer-parts.js';
import type { Scenario } from './scenario.js';

/** An answer that is no completion. */
export interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** What the behaviour refuses to complete, or null. */
export function refusalOf(scenario: Scenario, request: FakeRequestBody): Refusal | null {
  const { behaviour, at, modifiers } = scenario;
  switch (behaviour) {
    case 'rate-limit':
      return failure(429, 'Slow down.', 'rate_limit_error', 'rate_limit_exceeded', retryAfter(modifiers));
    case 'no-quota':
      return failure(429, 'You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota');
    case 'status':
      return failure(at, `This is status ${at} from http://10.1.2.3:8000/v1.`, 'fake', null, retryAfter(modifiers));
    case 'context-length':
      return failure(
        400,
        "This model's maximum context length is 16 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      );
    case 'content-filter':
      return failure(400, 'The prompt was filtered.', 'invalid_request_error', 'content_filter');
    case 'no-prefill':
      return request.isPrefilled ? failure(400, 'Prefill is not supported.', 'invalid_request_error', null) : null;
    case 'html':
      return { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><h1>Sign in</h1>' };
    case 'empty':
      return { status: 200, headers: { 'content-type': contentTypeOf(request.stream) }, body: '' };
    case 'redirect':
      return { status: 307, headers: { location: 'http://127.0.0.1:1/v1/chat/completions' }, body: '' };
    default:
      return null;
  }
}

export function unknownModel(model: string): Refusal {
  return failure(404, `The model ${model} does not exist.`, 'NotFoundError', 'model_not_found');
}

export const contentTypeOf = (isStream: boolean): string => (isStream ? 'text/event-stream' : 'application/json');

function failure(
  status: number,
  message: string,
  type: string,
  code: string | null,
  headers: Record<string, string> = {},
): Refusal {
  const body = JSON.stringify({ error: { message, type, param: null, code } });
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function retryAfter(modifiers: Scenario['modifiers']): Record<string, string> {
  const seconds = modifiers.get('retry-after');
  return seconds === undefined ? {} : { 'retry-after': seconds };
}
