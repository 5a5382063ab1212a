import { EmbeddingsRequestDto } from '@hone/contracts';

import type { Door } from '../../chat/door.js';
import { readDoorBody } from '../translation/read-door-body.js';
import { EmbeddingsSink } from './embeddings-sink.js';

/** Embeddings. The body goes to the upstream as it came; it answers no chat, so nothing of a chat is read in it. */
export const EMBEDDINGS_DOOR: Door = {
  idPrefix: 'embd-',
  read(body) {
    const fields = readDoorBody(EmbeddingsRequestDto, body);
    const { model, user } = fields;
    return {
      endpoint: 'embeddings',
      // No token is generated.
      dto: { model, user, messages: [], max_completion_tokens: 0 },
      fields,
      body,
      toSink: (reply) => new EmbeddingsSink(reply),
    };
  },
};
