import { asNumber, isJsonObject, parseJson } from '@hone/contracts';

/** What calls used of one model. */
export interface Usage {
  requests: number;
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export type UsageByModel = Map<string, Usage>;

/**
 * What a call used of each model: `summary.usage`, which clients write. Tokens are named as OpenAI's API does, or
 * `input_tokens` and `output_tokens`. What is no number counts as 0.
 *
 * @param summary exact text; null: the call runs
 */
export function usageOf(summary: string | null): UsageByModel {
  const found: UsageByModel = new Map();
  if (!summary?.includes('"usage"')) return found;
  const parsed = parseJson(summary);
  const usage = isJsonObject(parsed) && Object.hasOwn(parsed, 'usage') ? parsed['usage'] : null;
  if (!isJsonObject(usage)) return found;
  for (const model of Object.keys(usage)) {
    const of = usage[model];
    if (isJsonObject(of)) found.set(model, readUsage(of));
  }
  return found;
}

function readUsage(of: object): Usage {
  const first = (...names: string[]): number | undefined => {
    for (const name of names) {
      const value = Object.hasOwn(of, name) ? asNumber((of as Record<string, unknown>)[name]) : undefined;
      if (value !== undefined && Number.isFinite(value)) return value;
    }
    return undefined;
  };
  const prompt_tokens = first('prompt_tokens', 'input_tokens') ?? 0;
  const completion_tokens = first('completion_tokens', 'output_tokens') ?? 0;
  return {
    requests: first('requests') ?? 0,
    prompt_tokens,
    completion_tokens,
    total_tokens: first('total_tokens') ?? prompt_tokens + completion_tokens,
  };
}
