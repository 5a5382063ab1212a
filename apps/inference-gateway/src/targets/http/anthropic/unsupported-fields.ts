import { isJsonObject } from '@hone/json';

import { hasForeignPart } from './to-turns.js';

/** Fields of a chat completion whose values no message can carry, beside those that it does not have at all. */
export function foreignFields(fields: Readonly<Record<string, unknown>>): readonly string[] {
  const { messages, tools, audio, modalities, response_format: format, web_search_options: search } = fields;
  const isCustom = (tool: unknown) => isJsonObject(tool) && tool['type'] === 'custom';
  const found: Readonly<Record<string, boolean>> = {
    messages: hasForeignPart(messages),
    tools: Array.isArray(tools) && tools.some(isCustom),
    audio: (audio ?? null) !== null,
    modalities: Array.isArray(modalities) && modalities.includes('audio'),
    // A form without a schema cannot be asked for.
    response_format: isJsonObject(format) && format['type'] === 'json_object',
    web_search_options: (search ?? null) !== null,
  };
  return Object.keys(found).filter((field) => found[field]);
}
