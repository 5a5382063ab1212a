import { check, ChatCompletionRequestDto, combinationIssues, type Issue, rangeIssue } from '@hone/contracts';

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
  const { value, issues } = check(ChatCompletionRequestDto, fields);
  const wrong = [...issues, ...limitIssues(fields, limits)];
  if (!value || wrong.length > 0) throw new InvalidRequestError(wrong.map(inBody));
  const broken = combinationIssues(value);
  if (broken.length > 0) throw new InvalidRequestError(broken.map(inBody));
  return { dto: value, fields };
}

const inBody = (found: Issue): Issue => ({ ...found, loc: ['body', ...found.loc] });

/** What the settings and the key allow of numbers; whatever is no number has an issue already. */
function limitIssues(fields: Readonly<Record<string, unknown>>, limits: RequestLimits): Issue[] {
  const issues: Issue[] = [];
  const atMost = (name: string, max: number) => {
    if (Number.isInteger(fields[name]) && (fields[name] as number) > max) issues.push(rangeIssue('less', max, [name]));
  };
  const atLeast = (name: string, min: number) => {
    const value = fields[name];
    if (Number.isInteger(value) && (value as number) < min) issues.push(rangeIssue('greater', min, [name]));
  };
  atMost('n', limits.maxChoices);
  for (const name of ['top_logprobs', 'prompt_logprobs'] as const) {
    if (limits.maxLogprobs !== -1) {
      atMost(name, limits.maxLogprobs);
      if (fields[name] === -1) atLeast(name, 0);
    }
  }
  atLeast('priority', limits.minPriority);
  return issues;
}
