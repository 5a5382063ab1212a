import type { ChatCompletionRequestDto } from '@hone/contracts';

import type { ChatRequest } from '../../target.js';
import { functionsAsTools } from './functions-as-tools.js';

/** Fields of a validated request, without those that count as absent, and with its tools in one notation. */
export function effectiveFields({ fields }: ChatRequest): ChatCompletionRequestDto {
  const entries = Object.entries(fields).filter(([name, value]) => value !== null && !isNoTools(name, value));
  return functionsAsTools(Object.fromEntries(entries) as unknown as ChatCompletionRequestDto);
}

const isNoTools = (name: string, value: unknown): boolean =>
  name === 'tools' && Array.isArray(value) && value.length === 0;
