import { asCount, readTokenUsage, type TokenUsage, toTokenUsage } from '@hone/calls';
import { isJsonObject, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

import type { AttributeReader } from './attribute-reader.js';
import { unquotedText } from './json-text.js';
import { isSummingSpan } from './span-kind.js';

/** Usage is by model; of spans that count tokens and name no model it is under this name. */
const UNNAMED_MODEL = 'unknown';

/** Attributes of the counts: semantic conventions, OpenInference, OpenLLMetry, Pydantic AI, Sentry, Vercel's AI SDK. */
const NAMES = {
  prompt: [
    ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt', 'ai.usage.inputTokens'],
    ...['ai.usage.promptTokens', 'ai.usage.tokens'],
  ],
  completion: [
    ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
    ...['ai.usage.outputTokens', 'ai.usage.completionTokens'],
  ],
  total: ['llm.token_count.total', 'llm.usage.total_tokens', 'gen_ai.usage.total_tokens', 'ai.usage.totalTokens'],
  cached: [
    ...['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
    ...['gen_ai.usage.details.cache_read_tokens', 'gen_ai.usage.details.cached_tokens'],
    ...['gen_ai.usage.details.cache_read_input_tokens', 'gen_ai.usage.prompt_tokens_details.cached_tokens'],
    ...['gen_ai.usage.input_tokens_details.cached_tokens', 'gen_ai.usage.input_tokens.cached'],
    ...['llm.token_count.prompt_details.cache_read', 'ai.usage.inputTokenDetails.cacheReadTokens'],
    'ai.usage.cachedInputTokens',
  ],
  written: [
    ...['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens'],
    ...['gen_ai.usage.details.cache_write_tokens', 'gen_ai.usage.details.cache_creation_tokens'],
    ...['gen_ai.usage.details.cache_creation_input_tokens', 'gen_ai.usage.input_tokens.cache_write'],
    ...['gen_ai.usage.prompt_tokens_details.cache_write_tokens', 'llm.token_count.prompt_details.cache_write'],
    'ai.usage.inputTokenDetails.cacheWriteTokens',
  ],
  reasoning: [
    ...['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
    ...['gen_ai.usage.details.reasoning_tokens', 'gen_ai.usage.completion_tokens_details.reasoning_tokens'],
    ...['gen_ai.usage.output_tokens_details.reasoning_tokens', 'gen_ai.usage.output_tokens.reasoning'],
    ...['llm.token_count.completion_details.reasoning', 'ai.usage.outputTokenDetails.reasoningTokens'],
    'ai.usage.reasoningTokens',
  ],
} as const;
/** Counts in one value, as JSON text, the one that says most first. */
const WHOLE = ['langfuse.observation.usage_details', 'gen_ai.usage.raw', 'mlflow.chat.tokenUsage'];

/**
 * Tokens of a span, by model, in the form of OpenAI's API.
 *
 * @param model null: the span names none
 * @param output of the span: where a client traced the provider's whole answer, it has the provider's own counts
 * @returns null: the span used no model itself
 */
export function readUsage(attributes: AttributeReader, model: string | null, output: JsonValue): JsonObject | null {
  if (isSummingSpan(attributes)) return null;
  const usage = usageOf(attributes, output);
  if (!usage) return null;
  const { cached_tokens, cache_write_tokens, reasoning_tokens, ...sums } = usage;
  const ofPrompt = withoutMissing({ cached_tokens, cache_write_tokens });
  const ofCompletion = withoutMissing({ reasoning_tokens });
  return {
    [model ?? UNNAMED_MODEL]: {
      ...{ requests: 1, ...sums },
      ...(ofPrompt && { prompt_tokens_details: ofPrompt }),
      ...(ofCompletion && { completion_tokens_details: ofCompletion }),
    },
  };
}

function usageOf(attributes: AttributeReader, output: JsonValue): TokenUsage | undefined {
  const ofAnswer = attributes.peek('mlflow.chat.tokenUsage') === undefined ? undefined : memberOf(output, 'usage');
  for (const value of [ofAnswer, ...WHOLE.map((name) => unquotedText(attributes.peek(name)))]) {
    const usage = isJsonObject(value) ? readTokenUsage(value) : undefined;
    if (usage) return usage;
  }
  const count = (names: readonly string[]) =>
    names.map((name) => asCount(attributes.peek(name))).find((found) => found !== undefined);
  const [prompt, completion, total] = [count(NAMES.prompt), count(NAMES.completion), count(NAMES.total)];
  const details = { cached: count(NAMES.cached), written: count(NAMES.written), reasoning: count(NAMES.reasoning) };
  return toTokenUsage({
    prompt,
    completion,
    total,
    ...details,
    isAdditive: total === undefined && hasAnthropicCounts(attributes),
  });
}

/**
 * Anthropic's API counts the tokens of its cache beside `input_tokens`, and some instrumentation passes its counts on as
 * they are. Where a total is said, the instrumentation has summed them.
 */
function hasAnthropicCounts(attributes: AttributeReader): boolean {
  const provider = attributes.text('gen_ai.provider.name', 'gen_ai.system') ?? '';
  return (
    provider.toLowerCase().includes('anthropic') &&
    attributes.peek('gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_creation.input_tokens') === undefined &&
    attributes.peek('gen_ai.usage.cache_read_input_tokens', 'gen_ai.usage.cache_creation_input_tokens') !== undefined
  );
}

function withoutMissing(counts: Record<string, number | undefined>): JsonObject | undefined {
  const found = Object.entries(counts).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}
