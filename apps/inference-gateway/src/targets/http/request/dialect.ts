/** Dialect of an upstream's API. */
export type Dialect = 'vllm' | 'openai' | 'generic' | 'anthropic' | 'azure' | 'gemini';
