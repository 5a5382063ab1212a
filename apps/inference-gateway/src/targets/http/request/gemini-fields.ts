/**
 * Fields of chat completions that Google's endpoint for OpenAI's clients has (https://ai.google.dev/gemini-api/docs/openai). It
 * refuses a request with any other.
 */
export const GEMINI_PARAMETERS: readonly string[] = [
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'n', 'stop', 'seed', 'frequency_penalty'],
  ...['presence_penalty', 'response_format', 'tools', 'tool_choice', 'parallel_tool_calls', 'reasoning_effort'],
  ...['logprobs', 'top_logprobs', 'modalities'],
];

/** Fields of OpenAI's that change no answer, and that are left out there. */
const HINTS = ['store', 'service_tier', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'];

export const hintsIn = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  HINTS.filter((field) => field in fields);
