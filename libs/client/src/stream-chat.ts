import type { ChatCompletionChunk, ChatCompletionRequestDto } from '@hone/contracts';

import { HoneError } from './errors/hone-error.js';
import { serverSentEvents } from './streams/server-sent-events.js';
import type { RequestOptions } from './transport/request-options.js';
import type { Transport } from './transport/transport.js';

/**
 * A chat completion chunk by chunk, as the model writes it.
 *
 * @throws HoneError the model failed after it had begun to answer
 */
export async function* streamChat(
  transport: Transport,
  body: Omit<ChatCompletionRequestDto, 'stream'>,
  options?: RequestOptions,
): AsyncGenerator<ChatCompletionChunk, void, undefined> {
  const request = { method: 'POST', path: '/v1/chat/completions', accept: 'text/event-stream', isRepeatable: false };
  const response = await transport.open({ ...request, body: { ...body, stream: true }, options });
  if (response.body === null) return;
  let isDone = false;
  for await (const { data } of serverSentEvents(response.body)) {
    // What is left is the end of the answer: to stop here would break the connection off.
    if (data === '[DONE]') isDone = true;
    if (isDone) continue;
    const chunk = transport.parse<ChatCompletionChunk & { error?: { message: string } }>(data);
    if (chunk.error !== undefined) throw new HoneError(chunk.error.message);
    yield chunk;
  }
  if (!isDone) throw new HoneError('The answer ended before its end was announced.');
}
