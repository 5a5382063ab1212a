import { check } from '@hone/contracts';
import type { Type } from '@nestjs/common';

import { withFirstModel } from '../../chat/body/fallback-models.js';
import { inBody, type ParsedRequest, readChatFields } from '../../chat/body/parse-chat-request.js';
import { parseRequestJson } from '../../chat/body/request-json.js';
import type { DoorContext, DoorRequest, NativeRequest } from '../../chat/door.js';
import type { FilledPrompt } from '../../chat/prompts/filled-prompt.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';
import { step } from '../../shared/step.js';

/** The fields of a body that is valid by its DTO class; null counts as absent. @throws InvalidRequestError */
export function readDoorBody<T extends object>(type: Type<T>, body: Buffer): T & Record<string, unknown> {
  return checkDoorFields(type, withFirstModel(parseRequestJson(body)));
}

/**
 * The same of a body that may name a prompt object, which is filled before the other fields are looked at.
 *
 * @param next gets the fields, with the prompt's model where they have none
 */
export function readPromptedBody<T extends object>(
  type: Type<T>,
  body: Buffer,
  { fillPrompt }: DoorContext,
  next: (asked: T & Record<string, unknown>, prompt: FilledPrompt | null) => DoorRequest | Promise<DoorRequest>,
): DoorRequest | Promise<DoorRequest> {
  const fields = withFirstModel(parseRequestJson(body));
  return step(fillPrompt(fields), (prompt) => {
    const takesModel = (fields['model'] ?? null) === null && (prompt?.model ?? null) !== null;
    return next(checkDoorFields(type, takesModel ? { ...fields, model: prompt?.model } : fields), prompt);
  });
}

/** The same of fields that are read already. @throws InvalidRequestError */
export function checkDoorFields<T extends object>(
  type: Type<T>,
  fields: Readonly<Record<string, unknown>>,
): T & Record<string, unknown> {
  const { value, issues } = check(type, fields);
  if (!value || issues.length > 0) {
    throw new InvalidRequestError(issues.map(inBody));
  }
  return withoutNulls(fields) as T & Record<string, unknown>;
}

/** The chat completion that translated fields ask for. Absent ones are left out. @throws InvalidRequestError */
export function toParsedRequest(
  translated: Readonly<Record<string, unknown>>,
  limits: RequestLimits,
  minPriority: number,
): ParsedRequest {
  const fields = withoutNulls(translated);
  return { ...readChatFields(fields, limits, minPriority), body: Buffer.from(JSON.stringify(fields)) };
}

const withoutNulls = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/**
 * How a request goes to upstreams that speak its door: as it came, unless it names a prompt object, which only the chat
 * completion has in it.
 *
 * @throws the refusal, where nothing else is left
 */
export function nativeUnlessPrompted(
  native: () => NativeRequest,
  refusal: InvalidRequestError | undefined,
  prompt: FilledPrompt | null,
): Pick<DoorRequest, 'native' | 'refusal'> {
  if (prompt === null) return { native: native(), refusal };
  if (refusal !== undefined) throw refusal;
  return {};
}
