import { toChatTools } from '@hone/calls';
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

import type { SpanEvent } from '../otlp-spans.js';
import { choicesOfEvents, messagesOfEvents } from '../vocabulary/event-messages.js';
import type { LogEvent } from './log-records.js';

/** What a call says of the request to a model that it is, without the events of its span. */
export interface CallContent {
  inputs: JsonValue;
  output: JsonValue;
  attributes: JsonValue;
}

/**
 * Inputs and output of a call with the messages that came as events of its span. Parts that the span brought itself stay.
 *
 * @param isJoined what the call has came from earlier events, which are among these
 */
export function withEvents(
  call: CallContent,
  events: readonly LogEvent[],
  isJoined: boolean,
): Pick<CallContent, 'inputs' | 'output'> {
  const spanEvents = events.map(toSpanEvent);
  const messages = messagesOfEvents(spanEvents);
  const choices = choicesOfEvents(spanEvents);
  const tools = toChatTools(
    spanEvents.map(({ attributes }) => attributes.get('gen_ai.tool.definitions')).find(Boolean),
  );
  const inputs = isJsonObject(call.inputs) ? call.inputs : {};
  const mayAsk = messages.length > 0 && (isJoined || memberOf(inputs, 'messages') === undefined);
  const mayAnswer = choices.length > 0 && (isJoined || call.output === null);
  return {
    inputs: mayAsk
      ? { ...modelOf('request', call), ...inputs, ...(tools.length > 0 && { tools }), messages }
      : call.inputs,
    output: mayAnswer ? { ...modelOf('request', call), ...modelOf('response', call), choices } : call.output,
  };
}

const toSpanEvent = ({ name, timeUnixNano, content }: LogEvent): SpanEvent => ({
  ...{ name, timeUnixNano, attributes: new Map(Object.entries(content)) },
});

function modelOf(side: 'request' | 'response', { attributes }: CallContent): JsonObject {
  const model = memberOf(memberOf(memberOf(attributes, 'gen_ai'), side), 'model');
  return typeof model === 'string' && model !== '' ? { model } : {};
}
