import { type JsonObject, type JsonValue } from '@hone/contracts';

import type { SpanEvent } from '../otlp-spans.js';
import { toChoices, toMessages, toSystemMessages } from './chat-messages.js';
import { parsedText } from './json-text.js';

/**
 * Messages that came as events of a span, each as one, or all of them in the attributes of one.
 * Source: OpenTelemetry semantic conventions for generative AI, 1.28 to 1.38.
 */
export function messagesOfEvents(events: readonly SpanEvent[]): JsonObject[] {
  const messages: JsonObject[] = [];
  for (const event of events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(event.name)?.[1];
    if (role) messages.push(...toMessages(withToolCallId({ role, ...contentOfEvent(event) }), role));
    const { attributes } = event;
    const all = attributes.get('gen_ai.input.messages') ?? attributes.get('gen_ai.prompt');
    messages.push(...toSystemMessages(attributes.get('gen_ai.system_instructions')), ...toMessages(all, 'user'));
  }
  return messages;
}

/** Answers of a model that came as events, which say themselves why the model stopped, or do not. */
export function choicesOfEvents(events: readonly SpanEvent[], reasons: JsonValue[] = []): JsonObject[] {
  const chosen = events.filter(({ name }) => name === 'gen_ai.choice').map(contentOfEvent);
  if (chosen.length > 0) return toChoices(chosen, reasons);
  const completion = events.find(({ name }) => name === 'gen_ai.content.completion');
  const details = events.map((event) => event.attributes.get('gen_ai.output.messages')).find(Boolean);
  const told = parsedText(details ?? completion?.attributes.get('gen_ai.completion'));
  return told === undefined ? [] : toChoices(Array.isArray(told) ? told : [told], reasons);
}

/** The event of a tool's result has the id of the call as its own. */
const withToolCallId = (message: JsonObject): JsonObject =>
  message['role'] === 'tool' && message['tool_call_id'] === undefined && message['id'] !== undefined
    ? { ...message, tool_call_id: message['id'] }
    : message;

function contentOfEvent({ attributes }: SpanEvent): JsonObject {
  const read: JsonObject = {};
  for (const [name, value] of attributes) if (name !== '__proto__') read[name] = parsedText(value) as JsonValue;
  return read;
}
