import type {
  ChatCompletionChunk,
  ChatCompletionRequestDto,
  MessagesRequestDto,
  ResponsesRequestDto,
} from '@hone/contracts';

import { HoneError } from './errors/hone-error.js';
import { serverSentEvents } from './streams/server-sent-events.js';
import type { RequestOptions } from './transport/request-options.js';
import type { Transport } from './transport/transport.js';

/** An event of a stream of responses or messages: its type, and what belongs to it. */
export interface AnswerEvent {
  /** For example `response.output_text.delta`, or `content_block_delta`. */
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What a failure amid a stream says, wherever the form has it. */
interface Failure {
  readonly message?: string;
  readonly error?: { readonly message?: string };
  readonly response?: { readonly error?: { readonly message?: string } | null };
}

const DONE = '[DONE]';
/** The last events of responses. */
const RESPONSE_ENDS = ['response.completed', 'response.incomplete'];
const MESSAGE_ENDS = ['message_stop'];
const FAILURES = ['error', 'response.failed'];

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
  let isDone = false;
  for await (const data of streamed(transport, '/v1/chat/completions', body, options)) {
    // What is left is the end of the answer: to stop here would break the connection off.
    if (data === DONE) isDone = true;
    if (isDone) continue;
    const chunk = transport.parse<ChatCompletionChunk & Failure>(data);
    if (chunk.error !== undefined) throw failed(chunk);
    yield chunk;
  }
  if (!isDone) throw cutOff();
}

/** The events of a response, up to the last one, which has it whole. @throws HoneError as {@link streamChat} */
export const streamResponse = (
  transport: Transport,
  body: Omit<ResponsesRequestDto, 'stream'>,
  options?: RequestOptions,
): AsyncGenerator<AnswerEvent, void, undefined> => events(transport, '/v1/responses', body, RESPONSE_ENDS, options);

/** The events of a message, up to `message_stop`. @throws HoneError as {@link streamChat} */
export const streamMessage = (
  transport: Transport,
  body: Omit<MessagesRequestDto, 'stream'>,
  options?: RequestOptions,
): AsyncGenerator<AnswerEvent, void, undefined> => events(transport, '/v1/messages', body, MESSAGE_ENDS, options);

/** @param ends types of the events that an answer may end with */
async function* events(
  transport: Transport,
  path: string,
  body: object,
  ends: readonly string[],
  options: RequestOptions | undefined,
): AsyncGenerator<AnswerEvent, void, undefined> {
  let isDone = false;
  for await (const data of streamed(transport, path, body, options)) {
    if (data === DONE) continue;
    const event = transport.parse<AnswerEvent & Failure>(data);
    if (FAILURES.includes(event.type)) throw failed(event);
    isDone ||= ends.includes(event.type);
    yield event;
  }
  if (!isDone) throw cutOff();
}

/** The data of each event of an answer. */
async function* streamed(
  transport: Transport,
  path: string,
  body: object,
  options: RequestOptions | undefined,
): AsyncGenerator<string, void, undefined> {
  const request = { method: 'POST', path, accept: 'text/event-stream', isRepeatable: false };
  const response = await transport.open({ ...request, body: { ...body, stream: true }, options });
  if (response.body === null) return;
  for await (const { data } of serverSentEvents(response.body)) yield data;
}

const failed = ({ error = {}, message, response }: Failure): HoneError =>
  new HoneError(
    error.message ?? response?.error?.message ?? message ?? 'The model failed after it had begun to answer.',
  );
const cutOff = (): HoneError => new HoneError('The answer ended before its end was announced.');
