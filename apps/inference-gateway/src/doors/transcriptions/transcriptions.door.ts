import { TranscriptionRequestDto } from '@hone/contracts';

import type { Door } from '../../chat/door.js';
import type { TranscriptEndpoint } from '../../shared/endpoint.js';
import { readForm } from '../media/read-form.js';

/** Audio at 128 kbit/s: what a length is estimated by that the upstream does not say. */
const BYTES_PER_MS = 16;

/** What was said in audio, in its language or in English. The form goes to the upstream with the model's name there. */
const transcripts = (endpoint: TranscriptEndpoint): Door => ({
  idPrefix: 'transcript-',
  takesForm: true,
  async read(body, _limits, _minPriority, { contentType }) {
    const { fields, form, ...read } = await readForm(TranscriptionRequestDto, body, contentType, ['file']);
    const { model, user, file } = fields;
    return {
      endpoint,
      dto: { model, user, messages: [], max_completion_tokens: 0 },
      fields,
      body: read.body,
      media: { form, units: Math.ceil(file.bytes / BYTES_PER_MS) },
    };
  },
});

export const TRANSCRIPTIONS_DOOR = transcripts('audio/transcriptions');
export const TRANSLATIONS_DOOR = transcripts('audio/translations');
