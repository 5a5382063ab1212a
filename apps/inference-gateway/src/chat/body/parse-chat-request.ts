import { ChatCompletionRequestDto, check, combinationIssues, type Issue, rangeIssue } from '@hone/contracts';

import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { withFirstModel } from './fallback-models.js';
import { parseRequestJson } from './request-json.js';

/** A validated chat completion request. */
export interface ParsedRequest {
  readonly dto: ChatCompletionRequestDto;
  /** All fields, also those that the DTO does not have. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Their JSON. */
  readonly body: Buffer;
}

/**
 * Parses and validates a body: first each field, then their combinations; reports all issues of a stage together.
 *
 * @param minPriority smallest `priority` that the key may send
 * @param fields of the body, where they are parsed already
 * @throws InvalidRequestError
 */
export function parseChatRequest(
  bytes: Buffer,
  limits: RequestLimits,
  minPriority: number,
  fields: Readonly<Record<string, unknown>> = parseRequestJson(bytes),
): ParsedRequest {
  return { ...readChatFields(withFirstModel(fields), limits, minPriority), body: bytes };
}

/** The same of fields that are parsed already. @throws InvalidRequestError */
export function readChatFields(
  fields: Readonly<Record<string, unknown>>,
  limits: RequestLimits,
  minPriority: number,
): Omit<ParsedRequest, 'body'> {
  const { value, issues } = check(ChatCompletionRequestDto, fields);
  const wrong = value && hasNoLimited(value) ? issues : issues.concat(limitIssues(fields, limits, minPriority));
  if (!value || wrong.length > 0) throw new InvalidRequestError(wrong.map(inBody));
  const broken = combinationIssues(value);
  if (broken.length > 0) throw new InvalidRequestError(broken.map(inBody));
  return { dto: value, fields };
}

/** The issue of a body whose fields were checked apart. */
export const inBody = (found: Issue): Issue => ({ ...found, loc: ['body', ...found.loc] });

/** Fast path: most requests have none of the limited fields. */
const hasNoLimited = ({ n, top_logprobs: top, prompt_logprobs: prompt, priority }: ChatCompletionRequestDto): boolean =>
  (n ?? top ?? prompt ?? priority ?? null) === null;

/** Issues of numbers beyond the limits of the settings and of the key; other types have an issue already. */
function limitIssues(
  fields: Readonly<Record<string, unknown>>,
  { maxChoices, maxLogprobs }: RequestLimits,
  minPriority: number,
): Issue[] {
  const issues: Issue[] = [];
  addAbove(issues, fields, 'n', maxChoices);
  if (maxLogprobs !== -1) {
    for (const name of WITH_VOCABULARY) {
      addAbove(issues, fields, name, maxLogprobs);
      // -1 means the whole vocabulary; other negative numbers have an issue already.
      if (fields[name] === -1) addBelow(issues, fields, name, 0);
    }
  }
  addBelow(issues, fields, 'priority', minPriority);
  return issues;
}

const WITH_VOCABULARY = ['top_logprobs', 'prompt_logprobs'] as const;

function addAbove(issues: Issue[], fields: Readonly<Record<string, unknown>>, name: string, max: number): void {
  const value = fields[name];
  if (typeof value === 'number' && Number.isInteger(value) && value > max) issues.push(rangeIssue('less', max, [name]));
}

function addBelow(issues: Issue[], fields: Readonly<Record<string, unknown>>, name: string, min: number): void {
  const value = fields[name];
  if (typeof value === 'number' && Number.isInteger(value) && value < min)
    issues.push(rangeIssue('greater', min, [name]));
}
