import { editObject } from '@hone/json/bytes';

import { CHAT } from '../../shared/endpoint.js';
import type { DoorRequest } from '../door.js';

const OF_STREAMS = ['stream', 'stream_options'] as const;

/**
 * A chat completion as another model gets it, whole and in no door's form.
 *
 * @param model name of the other model
 * @returns null: it is no chat completion, or none could carry it
 */
export function toShadowRequest(
  { dto, fields, body, endpoint = CHAT, ...asked }: DoorRequest,
  model: string,
): DoorRequest | null {
  if (endpoint !== CHAT || asked.refusal !== undefined) return null;
  const { stream: _stream, stream_options: _options, ...whole } = fields;
  return {
    dto: { ...dto, model, stream: false, stream_options: null },
    fields: { ...whole, model },
    body: editObject(body, {
      set: new Map([['model', JSON.stringify(model)]]),
      remove: new Set(OF_STREAMS),
      rename: new Map(),
    }),
    ...(asked.media !== undefined && { media: asked.media }),
    prompt: asked.prompt,
  };
}
