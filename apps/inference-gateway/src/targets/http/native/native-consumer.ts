import { CHAT, type NativeEndpoint } from '../../../shared/endpoint.js';
import { MessageToChat } from '../../../wire/messages/message-to-chat.js';
import type { ChatRequest, TokenUsage } from '../../target.js';
import { ChatHost } from '../anthropic/chat-host.js';
import type { BodyConsumer, ConsumerHost } from '../body-consumer.js';
import { StreamConsumer } from '../stream-consumer.js';
import { nativeReader } from './native-readers.js';
import { NativeStream } from './native-stream.js';
import { NativeWhole } from './native-whole.js';

/** What the id of an answer in a door's own form begins with. */
const ID_PREFIXES: Readonly<Record<NativeEndpoint, string>> = { responses: 'resp_', messages: 'msg_' };

interface NativeAnswer {
  readonly request: ChatRequest;
  /** That of the request. */
  readonly endpoint: NativeEndpoint;
  /** The model's name at the upstream. */
  readonly model: string;
}

/**
 * Reads an answer in a door's own form; a request that wants it as a chat completion gets it so.
 *
 * @param type media type of the response, without parameters
 * @returns null: a response of this type is no answer
 */
export function nativeConsumer(
  { request, endpoint, model }: NativeAnswer,
  type: string,
  own: ConsumerHost,
  estimate: (tokens: number) => TokenUsage,
): BodyConsumer | null {
  const { rid, isStream, answersAs, continues } = request;
  const head = new Map([['id', `${ID_PREFIXES[endpoint]}${rid}`]]);
  if (continues !== undefined) head.set('previous_response_id', continues);
  const host = answersAs === CHAT ? new ChatHost(own, new MessageToChat(`chatcmpl-${rid}`, model, true), request) : own;
  const isJson = type === 'application/json' || type.endsWith('+json');
  const reader = nativeReader(endpoint);
  if (isJson || (!isStream && type === '')) return new NativeWhole(reader, head, isStream, host, estimate);
  if (!isStream || (type !== '' && type !== 'text/event-stream')) return null;
  return new StreamConsumer(new NativeStream(reader, head), host, estimate);
}
