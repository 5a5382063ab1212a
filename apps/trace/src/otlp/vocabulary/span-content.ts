import { toChatTools } from '@hone/calls';
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

import { type Span, type SpanEvent } from '../otlp-spans.js';
import type { AttributeReader } from './attribute-reader.js';
import { toChoices, toMessages, toSystemMessages } from './chat-messages.js';
import { choicesOfEvents, messagesOfEvents } from './event-messages.js';
import { parsedText, unquotedText } from './json-text.js';
import { modelAmongParameters, readParameters } from './request-parameters.js';
import { toInputs, toOutput } from './request-values.js';
import { kindOf } from './span-kind.js';
import { readUsage } from './span-usage.js';

/** What a span tells about the work in it, whichever words it uses. */
export interface SpanContent {
  inputs: JsonObject;
  output: JsonValue;
  /** Tokens by model; null: the span used no model itself. */
  usage: JsonObject | null;
}

/** Inputs and outputs that SDKs write as one value of JSON text. */
const WHOLE_INPUTS = ['langfuse.observation.input', 'mlflow.spanInputs', 'langfuse.trace.input'];
const WHOLE_OUTPUTS = ['langfuse.observation.output', 'mlflow.spanOutputs', 'langfuse.trace.output'];
/** Arguments and results of functions and tools, quoted or not. */
const QUOTED_INPUTS = ['traceloop.entity.input'];
const QUOTED_OUTPUTS = ['traceloop.entity.output'];
const INPUTS = [
  ...['gen_ai.tool.call.arguments', 'tool_arguments', 'input.value', 'ai.prompt', 'ai.toolCall.args', 'input'],
];
const OUTPUTS = [
  ...['gen_ai.tool.call.result', 'tool_response', 'output.value', 'ai.response.object', 'ai.toolCall.result', 'output'],
];
const TOOLS = ['gen_ai.tool.definitions', 'mlflow.chat.tools', 'ai.prompt.tools'];

/**
 * Inputs, output and tokens of a span. Attributes that are taken over are not among the reader's rest.
 * Words: OpenTelemetry's semantic conventions for generative AI (1.28 to 1.38), OpenInference, OpenLLMetry, Langfuse,
 * MLflow, Pydantic AI, and those of Vercel's AI SDK.
 */
export function readContent(span: Span, attributes: AttributeReader): SpanContent {
  const model =
    attributes.text(
      ...[
        'gen_ai.request.model',
        'llm.model_name',
        'embedding.model_name',
        'ai.model.id',
        'langfuse.observation.model.name',
      ],
    ) ?? quotedText(attributes, 'mlflow.llm.model');
  const inputs = readInputs(span.events, attributes, modelAmongParameters(attributes) ?? model);
  const answered = attributes.text('gen_ai.response.model') ?? model;
  const output = readOutput(span.events, attributes, answered);
  const named = answered ?? textMember(output, 'model') ?? textMember(inputs, 'model');
  return { inputs, output, usage: readUsage(attributes, named, output) };
}

function readInputs(events: SpanEvent[], attributes: AttributeReader, model: string | null): JsonObject {
  const kind = kindOf(attributes);
  const whole = unquotedText(attributes.take(...WHOLE_INPUTS));
  if (whole !== undefined && whole !== null) return withRequest(toInputs(whole, kind === 'model'), attributes, model);
  // A chain or an agent repeats the first messages of the requests below it, besides what it was given itself.
  if (kind === 'other' && attributes.peek('input.value') !== undefined) return otherInputs(attributes);
  const messages = inputMessages(events, attributes);
  if (messages.length > 0) return { ...requestOf(attributes, model), messages };
  const others = otherInputs(attributes);
  const request = Object.keys(others).length === 0 ? requestOf(attributes, model) : others;
  return Object.keys(request).join() === 'model' ? {} : request;
}

/** Adds what other attributes say of a request to a model. */
const withRequest = (inputs: JsonObject, attributes: AttributeReader, model: string | null): JsonObject =>
  Array.isArray(memberOf(inputs, 'messages')) ? { ...requestOf(attributes, model), ...inputs } : inputs;

/** A request but for its messages, which many clients do not send unless asked. */
function requestOf(attributes: AttributeReader, model: string | null): JsonObject {
  const taken = attributes.take(...TOOLS);
  const tools = toChatTools(taken ?? firstList(attributes, 'llm.tools', 'llm.request.functions'));
  return { ...(model && { model }), ...readParameters(attributes), ...(tools.length > 0 && { tools }) };
}

function readOutput(events: SpanEvent[], attributes: AttributeReader, model: string | null): JsonValue {
  const kind = kindOf(attributes);
  const whole = unquotedText(attributes.take(...WHOLE_OUTPUTS));
  if (whole !== undefined && whole !== null) return named(toOutput(whole, kind === 'model'), model);
  const result = parsedText(attributes.take('final_result'));
  if (result !== undefined) return result;
  if (kind === 'other' && attributes.peek('output.value') !== undefined) return otherOutput(attributes);
  const choices = outputChoices(events, attributes);
  return choices.length > 0 ? { ...(model && { model }), choices } : otherOutput(attributes);
}

const named = (output: JsonValue, model: string | null): JsonValue =>
  isJsonObject(output) && Array.isArray(output['choices']) && model ? { model, ...output } : output;

function inputMessages(events: SpanEvent[], attributes: AttributeReader): JsonObject[] {
  const system = toSystemMessages(attributes.take('gen_ai.system_instructions'));
  const sent = attributes.take('gen_ai.input.messages', 'ai.prompt.messages') ?? earlierMessages(attributes);
  const listed = sent === undefined ? firstList(attributes, 'gen_ai.prompt', 'llm.input_messages') : [sent];
  const messages = listed.flatMap((message) => toMessages(message, 'user'));
  return [...system, ...(messages.length > 0 ? messages : messagesOfEvents(events))];
}

/** All messages of a run of Pydantic AI, up to its answer. */
function earlierMessages(attributes: AttributeReader): JsonValue | undefined {
  const all = parsedText(attributes.take('pydantic_ai.all_messages'));
  if (!Array.isArray(all)) return all;
  return memberOf(all.at(-1), 'role') === 'assistant' ? all.slice(0, -1) : all;
}

function outputChoices(events: SpanEvent[], attributes: AttributeReader): JsonObject[] {
  const reasons = finishReasons(attributes);
  const sent = parsedText(attributes.take('gen_ai.output.messages'));
  if (sent !== undefined) return withCallsBeside(toChoices(asList(sent), reasons), attributes);
  const listed = firstList(attributes, 'gen_ai.completion', 'llm.output_messages');
  if (listed.length > 0) return toChoices(listed, reasons);
  const told = choicesOfEvents(events, reasons);
  return told.length > 0 ? told : aiSdkChoices(attributes);
}

/**
 * LiteLLM leaves the calls of tools out of the messages of an answer, and writes each as
 * `gen_ai.completion.<index of the call>.function_call.{name,arguments}`, without its id.
 */
function withCallsBeside(choices: JsonObject[], attributes: AttributeReader): JsonObject[] {
  const [first, ...others] = choices;
  const isBeside = attributes.peek('gen_ai.completion.0.function_call.name') !== undefined;
  if (!isBeside || !first || memberOf(memberOf(first, 'message'), 'tool_calls') !== undefined) return choices;
  const tool_calls = attributes.takeList('gen_ai.completion').map((call) => memberOf(call, 'function_call') ?? null);
  const [message] = toMessages({ ...(first['message'] as JsonObject), tool_calls }, 'assistant');
  return [{ ...first, message: message ?? null }, ...others];
}

/** Why the model stopped, by choice, where the messages do not say it. */
function finishReasons(attributes: AttributeReader): JsonValue[] {
  const reasons = parsedText(attributes.peek('gen_ai.response.finish_reasons', 'llm.finish_reason'));
  return reasons === undefined ? [] : asList(reasons);
}

const asList = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value]);

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

/** What is no conversation: the arguments of a tool, or any value. */
function otherInputs(attributes: AttributeReader): JsonObject {
  const value = parsedText(attributes.take(...INPUTS)) ?? unquotedText(attributes.take(...QUOTED_INPUTS));
  if (value === undefined) return {};
  return isJsonObject(value) ? value : { input: value };
}

const otherOutput = (attributes: AttributeReader): JsonValue =>
  parsedText(attributes.take(...OUTPUTS)) ?? unquotedText(attributes.take(...QUOTED_OUTPUTS)) ?? null;

const textMember = (value: JsonValue, key: string): string | null => asText(memberOf(value, key));
const quotedText = (attributes: AttributeReader, name: string): string | null =>
  asText(unquotedText(attributes.peek(name)));
const asText = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
