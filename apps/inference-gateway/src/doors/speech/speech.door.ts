import { SpeechRequestDto } from '@hone/contracts';

import type { Door } from '../../chat/door.js';
import { readDoorBody } from '../translation/read-door-body.js';
import { unsupported } from '../translation/refusals.js';
import { SpeechSink } from './speech-sink.js';

/** Texts that are spoken. The body goes to the upstream as it came; its audio goes to the caller as it comes. */
export const SPEECH_DOOR: Door = {
  idPrefix: 'speech-',
  read(body) {
    const fields = readDoorBody(SpeechRequestDto, body);
    const { model, user, input } = fields;
    if ((fields['stream_format'] ?? 'audio') !== 'audio') {
      throw unsupported(['stream_format'], 'Audio is sent as it is, without events');
    }
    return {
      endpoint: 'audio/speech',
      // No token is generated that would be counted before.
      dto: { model, user, messages: [], max_completion_tokens: 0 },
      fields,
      body,
      media: { units: charactersOf(input) },
      toSink: (reply) => new SpeechSink(reply),
    };
  },
};

/** Unicode characters, of which JavaScript counts some twice. */
function charactersOf(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}
