/** Request fields that an upstream honours: all, those of OpenAI's API, or the listed ones. */
export type HonouredParameters = 'all' | 'openai' | readonly string[];

/** Fields that every upstream honours. */
const ALWAYS = ['messages', 'model', 'stream', 'stream_options'];

/** Fields of OpenAI's own interface, https://platform.openai.com/docs/api-reference/chat/create. */
const OPENAI = [
  ...ALWAYS,
  ...['audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs', 'max_completion_tokens'],
  ...['max_tokens', 'metadata', 'modalities', 'n', 'parallel_tool_calls', 'prediction', 'presence_penalty'],
  ...['prompt_cache_key', 'reasoning_effort', 'response_format', 'safety_identifier', 'seed', 'service_tier', 'stop'],
  ...['store', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity'],
  'web_search_options',
];

type IsNeutral = (value: unknown) => boolean;

const is =
  (...neutral: unknown[]): IsNeutral =>
  (value) =>
    neutral.includes(value);
const isEmpty: IsNeutral = (value) =>
  Array.isArray(value) ? value.length === 0 : typeof value === 'object' && Object.keys(value as object).length === 0;
const isNever: IsNeutral = () => false;
/** The gateway itself implements the field. */
const isOurs: IsNeutral = () => true;
/** Longer than any prompt: nothing is truncated. */
const isEndless: IsNeutral = (value) => typeof value === 'number' && value >= 4_611_686_018_427_387_000;
const hasOnlyZeros: IsNeutral = (value) => Object.values(value as object).every((count) => count === 0);
const hasOnlyNeutral: IsNeutral = (value) =>
  Object.values(value as object).every((member) => member === null || member === false || isEmptyText(member));
const isEmptyText = (value: unknown): boolean => value === '';

/** Known request fields -> their neutral values, which change nothing; null is always neutral. */
const NEUTRAL: Readonly<Record<string, IsNeutral>> = {
  temperature: is(1),
  top_p: is(1),
  top_k: is(0, -1),
  min_p: is(0),
  frequency_penalty: is(0),
  presence_penalty: is(0),
  repetition_penalty: is(1),
  logit_bias: isEmpty,
  logprobs: is(false),
  top_logprobs: is(0),
  prompt_logprobs: isNever,
  max_tokens: isNever,
  max_completion_tokens: isNever,
  min_tokens: is(0),
  n: is(1),
  seed: is(-1),
  stop: (value) => Array.isArray(value) && value.length === 0,
  stop_token_ids: isEmpty,
  include_stop_str_in_output: is(false),
  ignore_eos: is(false),
  skip_special_tokens: is(true),
  spaces_between_special_tokens: is(true),
  bad_words: isEmpty,
  allowed_token_ids: isNever,
  response_format: (value) => (value as { type?: unknown }).type === 'text',
  structured_outputs: hasOnlyNeutral,
  tools: isEmpty,
  tool_choice: is('none'),
  functions: isEmpty,
  function_call: is('none'),
  parallel_tool_calls: is(true),
  include_reasoning: is(true),
  use_beam_search: is(false),
  length_penalty: is(1),
  truncate_prompt_tokens: isEndless,
  echo: is(false),
  add_special_tokens: is(false),
  add_generation_prompt: is(true),
  continue_final_message: is(false),
  chat_template: isNever,
  documents: isEmpty,
  chat_template_kwargs: isEmpty,
  mm_processor_kwargs: isEmpty,
  kv_transfer_params: isEmpty,
  engine_xargs: isEmpty,
  priority: isOurs,
  request_id: isOurs,
  return_token_ids: is(false),
  return_tokens_as_token_ids: is(false),
  user: isOurs,
  metadata: isOurs,
  cache_salt: isNever,
  repetition_detection: hasOnlyZeros,
};

export interface ParameterFit {
  /** Fields with an effect that the upstream does not honour. */
  readonly unsupported: readonly string[];
  /** Fields that are not honoured and have no effect: they are left out. */
  readonly removable: readonly string[];
}

const EVERYTHING_FITS: ParameterFit = { unsupported: [], removable: [] };

/** Compares a request with the fields that an upstream honours. Fields unknown to Hone are always forwarded. */
export class ParameterRules {
  private readonly honoured: ReadonlySet<string> | null;

  constructor(parameters: HonouredParameters) {
    if (parameters === 'all') this.honoured = null;
    else this.honoured = new Set(parameters === 'openai' ? OPENAI : [...ALWAYS, ...parameters]);
  }

  honours(field: string): boolean {
    return this.honoured === null || this.honoured.has(field);
  }

  fit(fields: Readonly<Record<string, unknown>>): ParameterFit {
    const { honoured } = this;
    if (honoured === null) return EVERYTHING_FITS;
    const unsupported: string[] = [];
    const removable: string[] = [];
    for (const [field, value] of Object.entries(fields)) {
      if (honoured.has(field) || !Object.hasOwn(NEUTRAL, field)) continue;
      const isNeutral = value === null || NEUTRAL[field]?.(value) === true;
      (isNeutral ? removable : unsupported).push(field);
    }
    return { unsupported, removable };
  }
}
