import { check, ChatCompletionRequestDto, combinationIssues, type Issue } from '@hone/contracts';

import { InvalidRequestError } from './gateway-error.js';
import { parseRequestJson } from './request-json.js';

export interface RequestLimits {
  /** Largest `top_logprobs` and `prompt_logprobs`; -1: the whole vocabulary may be asked for. */
  readonly maxLogprobs: number;
  /** Largest `n`. */
  readonly maxChoices: number;
  /** Smallest `priority` that the key may send. */
  readonly minPriority: number;
}

/** A checked request, and its JSON as it was sent. */
export interface ParsedRequest {
  readonly dto: ChatCompletionRequestDto;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Reads and checks a body: each field by itself, then their combinations, all reported together.
 *
 * @throws InvalidRequestError
 */
export function parseChatRequest(bytes: Buffer, limits: RequestLimits): ParsedRequest {
  const fields = parseRequestJson(bytes);
  const { value, issues } = check(ChatCompletionRequestDto, fields, ['body']);
  if (!value) throw new InvalidRequestError(issues);
  const found = [...limitIssues(value, limits), ...combinationIssues(value)];
  if (found.length > 0) {
    throw new InvalidRequestError(found.map((issue) => ({ ...issue, loc: ['body', ...issue.loc] })));
  }
  return { dto: value, fields };
}

function limitIssues(request: ChatCompletionRequestDto, limits: RequestLimits): Issue[] {
  const issues: Issue[] = [];
  const atMost = (name: 'n' | 'top_logprobs' | 'prompt_logprobs', max: number) => {
    const value = request[name] ?? 0;
    if (value > max)
      issues.push({ loc: [name], msg: `Input should be less than or equal to ${max}`, type: 'less_than_equal' });
  };
  const atLeast = (name: 'top_logprobs' | 'prompt_logprobs' | 'priority', min: number) => {
    const value = request[name] ?? min;
    if (value < min) {
      issues.push({ loc: [name], msg: `Input should be greater than or equal to ${min}`, type: 'greater_than_equal' });
    }
  };
  atMost('n', limits.maxChoices);
  for (const name of ['top_logprobs', 'prompt_logprobs'] as const) {
    if (limits.maxLogprobs !== -1) {
      atMost(name, limits.maxLogprobs);
      atLeast(name, 0);
    }
  }
  atLeast('priority', limits.minPriority);
  return issues;
}
