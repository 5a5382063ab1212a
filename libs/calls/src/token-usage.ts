import { asNumber, type JsonObject, type JsonValue, memberOf } from '@hone/contracts';

/** Tokens of requests to a model, as OpenAI's API counts them: those of a cache are a part of the prompt's. */
export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Of the prompt's: read from a cache. Undefined: not said. */
  cached_tokens?: number | undefined;
  /** Of the prompt's: written into a cache. Undefined: not said. */
  cache_write_tokens?: number | undefined;
  /** Of the completion's. Undefined: not said. */
  reasoning_tokens?: number | undefined;
}

/** Counts as they were sent, undefined where nothing is said. */
export interface SentCounts {
  prompt?: number | undefined;
  completion?: number | undefined;
  total?: number | undefined;
  cached?: number | undefined;
  written?: number | undefined;
  reasoning?: number | undefined;
  /** The prompt's tokens are those outside of the cache alone, as Anthropic's API counts them. */
  isAdditive?: boolean;
}

/**
 * Names of the counts, each as a path: OpenAI's chat API and Responses API, Anthropic's API, Langfuse's usage types, the
 * flat names of our gateway, and those of other clients.
 */
export const COUNT_NAMES = {
  prompt: ['prompt_tokens', 'input_tokens', 'input', 'promptTokens', 'inputTokens'],
  completion: ['completion_tokens', 'output_tokens', 'output', 'completionTokens', 'outputTokens'],
  total: ['total_tokens', 'total', 'totalTokens'],
  cached: [
    ...['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'input_token_details.cache_read'],
    ...['cached_tokens', 'cache_read_input_tokens', 'input_cached_tokens', 'input_cache_read', 'cache_read_tokens'],
    ...['cachedInputTokens', 'inputTokenDetails.cacheReadTokens'],
  ],
  written: [
    ...['prompt_tokens_details.cache_write_tokens', 'input_tokens_details.cache_write_tokens'],
    ...['prompt_tokens_details.cache_creation_tokens', 'input_token_details.cache_creation', 'cache_write_tokens'],
    ...[
      'cache_creation_input_tokens',
      'input_cache_creation',
      'cache_creation_tokens',
      'inputTokenDetails.cacheWriteTokens',
    ],
  ],
  reasoning: [
    ...['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
    ...[
      'output_token_details.reasoning',
      'reasoning_tokens',
      'output_reasoning_tokens',
      'output_reasoning',
      'reasoningTokens',
    ],
  ],
} as const;
/** Counts of a cache that Anthropic's API and Langfuse have beside the tokens of `input_tokens` or `input`. */
export const BESIDE_INPUT: readonly string[] = [
  ...['cache_read_input_tokens', 'cache_creation_input_tokens', 'input_cached_tokens', 'input_cache_read'],
  'input_cache_creation',
];

/** A count, which some clients send as text; undefined: it is none. */
export function asCount(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : asNumber(value);
  return number !== undefined && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/**
 * What an object says of the tokens of a model, in any of the spellings of clients.
 *
 * @returns undefined: it counts none
 */
export function readTokenUsage(of: JsonObject): TokenUsage | undefined {
  const sent = sentCounts(of);
  // Who calls them the prompt's, or adds up the others alone, has the cache's among them.
  const isInclusive = memberOf(of, 'prompt_tokens') !== undefined || isSum(sent);
  return toTokenUsage({
    ...sent,
    isAdditive: !isInclusive && BESIDE_INPUT.some((name) => asCount(memberOf(of, name))),
  });
}

const isSum = ({ prompt, completion, total }: SentCounts): boolean =>
  total !== undefined && total === (prompt ?? 0) + (completion ?? 0);

/** Counts in the form of OpenAI. A prompt smaller than what it read from the cache counts the rest alone. */
export function toTokenUsage(sent: SentCounts): TokenUsage | undefined {
  const { prompt, completion = 0, total, cached, written, reasoning } = sent;
  if (prompt === undefined && sent.completion === undefined && total === undefined) return undefined;
  const fromCache = (cached ?? 0) + (written ?? 0);
  const isAdditive = sent.isAdditive === true || (prompt !== undefined && fromCache > prompt);
  const promptTokens = (prompt ?? 0) + (isAdditive ? fromCache : 0);
  const sum = promptTokens + completion;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: isAdditive ? Math.max(total ?? 0, sum) : (total ?? sum),
    cached_tokens: cached,
    cache_write_tokens: written,
    reasoning_tokens: reasoning,
  };
}

/** A spelling of a count. */
interface Spelling {
  readonly name: keyof typeof COUNT_NAMES;
  /** Among the spellings of the count: of several that an object has, the first counts. */
  readonly rank: number;
}

/** Member -> what it counts; a member that is an object -> those of its own. */
const SPELLINGS = spellingsOf();

function spellingsOf(): ReadonlyMap<string, Spelling | ReadonlyMap<string, Spelling>> {
  const spellings = new Map<string, Spelling | Map<string, Spelling>>();
  for (const [name, paths] of Object.entries(COUNT_NAMES) as [keyof typeof COUNT_NAMES, readonly string[]][]) {
    for (const [rank, path] of paths.entries()) {
      const [first, second] = path.split('.') as [string, string?];
      const spelling = { name, rank };
      if (second === undefined) spellings.set(first, spelling);
      else
        spellings.set(first, new Map([...((spellings.get(first) as Map<string, Spelling>) ?? []), [second, spelling]]));
    }
  }
  return spellings;
}

/** Goes through the members that there are, which are fewer than the spellings: this runs once per stored call. */
function sentCounts(of: JsonObject): SentCounts {
  const sent: SentCounts = {};
  const ranks: Partial<Record<keyof typeof COUNT_NAMES, number>> = {};
  const note = (value: JsonValue | undefined, { name, rank }: Spelling) => {
    if (rank > (ranks[name] ?? Infinity)) return;
    const count = asCount(value);
    if (count === undefined) return;
    sent[name] = count;
    ranks[name] = rank;
  };
  for (const key of Object.keys(of)) {
    const spelling = SPELLINGS.get(key);
    if (spelling === undefined) continue;
    if ('rank' in spelling) note(of[key], spelling);
    else for (const [inner, one] of spelling) note(memberOf(of[key], inner), one);
  }
  return sent;
}
