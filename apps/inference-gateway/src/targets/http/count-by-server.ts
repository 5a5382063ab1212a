import { isJsonObject } from '@hone/json';
import { parsePlainJson } from '@hone/json/bytes';

import type { ChatRequest } from '../target.js';
import type { TargetFailure } from '../target-failure.js';
import type { HttpReply, HttpServer } from './http-server.js';
import { forwardedHeaders } from './request/request-headers.js';

/** A count is worth no longer wait: an estimate takes its place. */
const TIMEOUT_MS = 5_000;
/** What makes a prompt: fields of chat completions that `TokenizeChatRequest` of vLLM has under the same names. */
const FIELDS = [
  ...['messages', 'tools', 'chat_template', 'chat_template_kwargs', 'mm_processor_kwargs'],
  ...['add_generation_prompt', 'continue_final_message', 'add_special_tokens'],
];

/** Tokens of a prompt as vLLM's `/tokenize` counts them; null: the server does not count. */
export async function countByServer(
  server: HttpServer,
  model: string,
  { fields }: ChatRequest,
): Promise<number | null> {
  const asked = Object.fromEntries(Object.entries(fields).filter(([name]) => FIELDS.includes(name)));
  const body = { ...asked, model };
  const reply = await server.call({ method: 'POST', path: 'tokenize', isBesideV1: true, body, timeoutMs: TIMEOUT_MS });
  return countIn(reply, 'count');
}

/**
 * Tokens of a message's prompt, as a server that speaks messages counts them; null: it does not count.
 *
 * @param body the request's
 */
export async function countMessage(server: HttpServer, body: Buffer, request: ChatRequest): Promise<number | null> {
  const path = 'messages/count_tokens';
  const headers = forwardedHeaders(request);
  return countIn(await server.call({ method: 'POST', path, body, headers, timeoutMs: TIMEOUT_MS }), 'input_tokens');
}

function countIn(reply: HttpReply | { readonly failure: TargetFailure }, member: string): number | null {
  if ('failure' in reply || reply.status !== 200) return null;
  const answer = parsePlainJson(reply.body);
  const count = isJsonObject(answer) ? answer[member] : null;
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : null;
}
