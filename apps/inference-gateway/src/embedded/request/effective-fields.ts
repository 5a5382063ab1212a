import type { ChatCompletionRequestDto } from '@hone/contracts';

import type { ChatRequest } from '../../upstreams/target.js';

/** Fields of a checked request with what the gateway sets over them; null is taken out: it means absent. */
export function effectiveFields({ fields, overrides }: ChatRequest): ChatCompletionRequestDto {
  const entries = Object.entries({ ...fields, ...overrides }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as ChatCompletionRequestDto;
}
