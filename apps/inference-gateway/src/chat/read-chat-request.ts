import { editObject, findMember } from '@hone/json/bytes';

import type { RequestLimits } from '../shared/gateway-settings.js';
import { step } from '../shared/step.js';
import { withFirstModel } from './body/fallback-models.js';
import { located } from './body/located.js';
import { parseChatRequest, readChatFields } from './body/parse-chat-request.js';
import { parseRequestJson } from './body/request-json.js';
import type { DoorContext, DoorRequest } from './door.js';
import { type FilledPrompt, withoutPrompt } from './prompts/filled-prompt.js';

/** A chat completion; the messages of the prompt that it names come before its own. @throws InvalidRequestError */
export function readChatRequest(
  body: Buffer,
  limits: RequestLimits,
  minPriority: number,
  { fillPrompt }: DoorContext,
): DoorRequest | Promise<DoorRequest> {
  const fields = withFirstModel(parseRequestJson(body));
  return step(fillPrompt(fields), (prompt) => {
    if (prompt === null) return parseChatRequest(body, limits, minPriority, fields);
    const merged = mergePrompt(fields, body, prompt);
    const toLoc: DoorRequest['toLoc'] = (loc) => withoutPrompt(loc, prompt.messages.length);
    const { dto } = located(toLoc, () => readChatFields(merged.fields, limits, minPriority));
    return { ...merged, dto, prompt: prompt.use, toLoc };
  });
}

/** The request that a caller would have sent who has filled the prompt. All other bytes stay as they came. */
export function mergePrompt(
  { prompt: _prompt, ...fields }: Readonly<Record<string, unknown>>,
  body: Buffer,
  prompt: FilledPrompt,
): { readonly fields: Readonly<Record<string, unknown>>; readonly body: Buffer } {
  const set = new Map<string, string>();
  const { messages: own = [] } = fields;
  const isList = Array.isArray(own);
  if (isList) set.set('messages', own.length === 0 ? prompt.json : joined(prompt.json, body));
  const takesModel = (fields['model'] ?? null) === null && prompt.model !== null;
  if (takesModel) set.set('model', JSON.stringify(prompt.model));
  return {
    fields: {
      ...fields,
      ...(isList && { messages: [...prompt.messages, ...(own as unknown[])] }),
      ...(takesModel && { model: prompt.model }),
    },
    body: editObject(body, { set, remove: new Set(['prompt']), rename: new Map() }),
  };
}

/** One list of two, of which the body has the second, with at least one item. */
function joined(list: string, body: Buffer): string {
  const own = findMember(body, 'messages');
  if (own === null) return list;
  return `${list.slice(0, -1)},${body.toString('utf8', own.valueStart + 1, own.valueEnd)}`;
}
