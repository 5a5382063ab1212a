import { asNumber, isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

import { type Span, type SpanEvent } from '../otlp-spans.js';
import { type AttributeReader, parsedText } from './attribute-reader.js';
import { toChoices, toMessages, toSystemMessages } from './chat-messages.js';

/** What a span tells about the work in it, whichever words it uses. */
export interface SpanContent {
  inputs: JsonObject;
  output: JsonValue;
  /** Tokens by model; null: the span used no model itself. */
  usage: JsonObject | null;
}

/** Spans of these kinds repeat the tokens of the spans below them. */
const SUMMING_OPERATIONS = new Set(['invoke_agent', 'create_agent', 'execute_tool', 'invoke_workflow']);
const SUMMING_KINDS = new Set(['AGENT', 'CHAIN', 'TOOL', 'GUARDRAIL', 'EVALUATOR', 'RETRIEVER']);

/**
 * Inputs, output and tokens of a span. Attributes that are taken over are not among the reader's rest.
 * Words: OpenTelemetry's semantic conventions for generative AI (1.28 to 1.38), OpenInference, OpenLLMetry, and those of
 * Vercel's AI SDK.
 */
export function readContent(span: Span, attributes: AttributeReader): SpanContent {
  const messages = inputMessages(span.events, attributes);
  const choices = outputChoices(span.events, attributes);
  const model = attributes.text('gen_ai.request.model', 'llm.model_name', 'embedding.model_name', 'ai.model.id');
  const answered = attributes.text('gen_ai.response.model') ?? model;
  const tools = parsedText(attributes.take('gen_ai.tool.definitions')) ?? attributes.takeList('llm.tools');
  return {
    inputs: messages.length
      ? { ...(model && { model }), messages, ...(Array.isArray(tools) && tools.length > 0 && { tools }) }
      : otherInputs(attributes),
    output: choices.length ? { ...(answered && { model: answered }), choices } : otherOutput(attributes),
    usage: readUsage(attributes, answered),
  };
}

function inputMessages(events: SpanEvent[], attributes: AttributeReader): JsonObject[] {
  const system = toSystemMessages(attributes.take('gen_ai.system_instructions'));
  const sent = attributes.take('gen_ai.input.messages', 'ai.prompt.messages');
  const listed = sent === undefined ? firstList(attributes, 'gen_ai.prompt', 'llm.input_messages') : [sent];
  const messages = listed.length ? listed : eventMessages(events);
  return [...system, ...messages.flatMap((message) => toMessages(message, 'user'))];
}

function outputChoices(events: SpanEvent[], attributes: AttributeReader): JsonObject[] {
  const sent = parsedText(attributes.take('gen_ai.output.messages'));
  if (sent !== undefined) return toChoices(Array.isArray(sent) ? sent : [sent]);
  const listed = firstList(attributes, 'gen_ai.completion', 'llm.output_messages');
  if (listed.length) return toChoices(listed);
  const chosen = events.filter(({ name }) => name === 'gen_ai.choice').map(contentOfEvent);
  if (chosen.length) return toChoices(chosen);
  const completion = events.find(({ name }) => name === 'gen_ai.content.completion');
  const details = events.map((event) => event.attributes.get('gen_ai.output.messages')).find(Boolean);
  const told = parsedText(details ?? completion?.attributes.get('gen_ai.completion'));
  if (told !== undefined) return toChoices(Array.isArray(told) ? told : [told]);
  return aiSdkChoices(attributes);
}

function aiSdkChoices(attributes: AttributeReader): JsonObject[] {
  const text = attributes.take('ai.response.text');
  const calls = parsedText(attributes.take('ai.response.toolCalls'));
  if (text === undefined && calls === undefined) return [];
  const tool_calls = (Array.isArray(calls) ? calls : []).filter(isJsonObject).map((call) => ({
    id: memberOf(call, 'toolCallId') ?? null,
    name: memberOf(call, 'toolName') ?? '',
    arguments: memberOf(call, 'input') ?? memberOf(call, 'args') ?? '',
  }));
  const finish_reason = attributes.text('ai.response.finishReason');
  return toChoices([{ role: 'assistant', content: text ?? null, tool_calls, finish_reason }]);
}

const firstList = (attributes: AttributeReader, ...prefixes: string[]): JsonValue[] =>
  prefixes.map((prefix) => attributes.takeList(prefix)).find((list) => list.length > 0) ?? [];

/** Earlier conventions sent each message as an event, or all of them as one. */
function eventMessages(events: SpanEvent[]): JsonValue[] {
  const messages: JsonValue[] = [];
  for (const event of events) {
    const role = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(event.name)?.[1];
    if (role) messages.push({ role, ...contentOfEvent(event) });
    const all = event.attributes.get('gen_ai.input.messages') ?? event.attributes.get('gen_ai.prompt');
    if (all !== undefined) messages.push(all);
  }
  return messages;
}

function contentOfEvent({ attributes }: SpanEvent): JsonObject {
  const read: JsonObject = {};
  for (const [name, value] of attributes) if (name !== '__proto__') read[name] = parsedText(value) as JsonValue;
  return read;
}

/** What is no conversation: the arguments of a tool, or any value. */
function otherInputs(attributes: AttributeReader): JsonObject {
  const value = parsedText(
    attributes.take(
      ...[
        'gen_ai.tool.call.arguments',
        'input.value',
        'traceloop.entity.input',
        'ai.prompt',
        'ai.toolCall.args',
        'input',
      ],
    ),
  );
  if (value === undefined) return {};
  return isJsonObject(value) ? value : { input: value };
}

const otherOutput = (attributes: AttributeReader): JsonValue =>
  parsedText(
    attributes.take(
      ...['gen_ai.tool.call.result', 'output.value', 'traceloop.entity.output', 'ai.response.object'],
      ...['ai.toolCall.result', 'output'],
    ),
  ) ?? null;

function readUsage(attributes: AttributeReader, model: string | null): JsonObject | null {
  const operation = attributes.text('gen_ai.operation.name') ?? '';
  const kind = attributes.text('openinference.span.kind') ?? '';
  if (model === null || SUMMING_OPERATIONS.has(operation) || SUMMING_KINDS.has(kind.toUpperCase())) return null;
  const count = (...names: string[]): number | undefined => {
    const value = asNumber(attributes.peek(...names));
    return value !== undefined && Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const prompt = count('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt');
  const completion = count(
    ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  );
  const total = count('llm.token_count.total', 'llm.usage.total_tokens', 'gen_ai.usage.total_tokens');
  if (prompt === undefined && completion === undefined && total === undefined) return null;
  const cached = count(
    ...['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
    'llm.token_count.prompt_details.cache_read',
  );
  const reasoning = count('llm.token_count.completion_details.reasoning', 'gen_ai.usage.reasoning_tokens');
  return {
    [model]: {
      requests: 1,
      prompt_tokens: prompt ?? 0,
      completion_tokens: completion ?? 0,
      total_tokens: total ?? (prompt ?? 0) + (completion ?? 0),
      ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
      ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
    },
  };
}
