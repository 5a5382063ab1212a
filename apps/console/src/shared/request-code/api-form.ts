/** An API of the gateway, as the SDKs made for it ask through it. */
export interface ApiForm {
  readonly label: string;
  readonly path: string;
  /** Fields that the SDKs know; they take others beside them. */
  readonly sdkFields: readonly string[];
}

export const CHAT_COMPLETIONS: ApiForm = {
  label: 'Chat completions',
  path: '/v1/chat/completions',
  sdkFields: [
    ...['model', 'messages', 'frequency_penalty', 'logit_bias', 'logprobs', 'max_completion_tokens', 'max_tokens'],
    ...['metadata', 'n', 'parallel_tool_calls', 'presence_penalty', 'reasoning_effort', 'response_format', 'seed'],
    ...['service_tier', 'stop', 'temperature', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'user', 'verbosity'],
  ],
};

/** OpenAI's Responses. */
export const RESPONSES: ApiForm = {
  label: 'Responses',
  path: '/v1/responses',
  sdkFields: [
    ...['model', 'input', 'include', 'instructions', 'max_output_tokens', 'metadata', 'parallel_tool_calls'],
    ...['previous_response_id', 'reasoning', 'service_tier', 'store', 'temperature', 'text', 'tool_choice', 'tools'],
    ...['top_logprobs', 'top_p', 'truncation', 'user'],
  ],
};

/** Anthropic's Messages. */
export const MESSAGES: ApiForm = {
  label: 'Messages',
  path: '/v1/messages',
  sdkFields: [
    ...['model', 'max_tokens', 'system', 'messages', 'metadata', 'output_config', 'service_tier', 'stop_sequences'],
    ...['thinking', 'tool_choice', 'tools'],
  ],
};
