import type { ChatCompletionRequestDto } from '@hone/contracts';

import type { ChatRequest } from '../../target.js';

/** Fields of a validated request without nulls: null means absent. */
export function effectiveFields({ fields }: ChatRequest): ChatCompletionRequestDto {
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as ChatCompletionRequestDto;
}
