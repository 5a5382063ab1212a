import { check } from '@hone/contracts';
import type { Type } from '@nestjs/common';

import { withFirstModel } from '../../chat/body/fallback-models.js';
import { inBody, type ParsedRequest, readChatFields } from '../../chat/body/parse-chat-request.js';
import { parseRequestJson } from '../../chat/body/request-json.js';
import { InvalidRequestError } from '../../shared/errors/gateway-error.js';
import type { RequestLimits } from '../../shared/gateway-settings.js';

/** The fields of a body that is valid by its DTO class; null counts as absent. @throws InvalidRequestError */
export function readDoorBody<T extends object>(type: Type<T>, body: Buffer): T & Record<string, unknown> {
  const fields = withFirstModel(parseRequestJson(body));
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
