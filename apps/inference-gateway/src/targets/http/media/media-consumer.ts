import type { MediaRequest } from '../../../shared/media-request.js';
import type { ChatRequest, TokenUsage } from '../../target.js';
import type { BodyConsumer, ConsumerHost } from '../body-consumer.js';
import { ImagesConsumer } from './images-consumer.js';
import { NoAudioConsumer } from './no-audio-consumer.js';
import { SpeechConsumer } from './speech-consumer.js';
import { TranscriptConsumer } from './transcript-consumer.js';

interface MediaAnswer {
  readonly request: Pick<ChatRequest, 'endpoint'>;
  /** That of the request. */
  readonly media: MediaRequest;
  /** Of the response, as the upstream sent it. */
  readonly contentType: string;
}

/** Audio has many types, and servers that know none name this one, or nothing. */
const AUDIO = /^(audio\/.*|application\/octet-stream|)$/;
/** A text of captions may have any of these; a page of HTML is none. */
const CAPTIONS = /^(text\/(?!html|event-stream).*|application\/x-subrip|application\/octet-stream|)$/;

/**
 * Reads an answer of images or audio, or a text of audio.
 *
 * @param estimate tokens of an answer that reports none
 * @returns null: a response of this type is no answer
 */
export function mediaConsumer(
  { request, media, contentType }: MediaAnswer,
  host: ConsumerHost,
  estimate: () => TokenUsage,
): BodyConsumer | null {
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const isJson = type === 'application/json' || type.endsWith('+json');
  switch (request.endpoint) {
    case 'images/generations':
    case 'images/edits':
      return isJson || type === '' ? new ImagesConsumer(host, estimate) : null;
    case 'audio/speech':
      if (isJson) return new NoAudioConsumer(host);
      return AUDIO.test(type) ? new SpeechConsumer(host, { ...estimate(), units: media.units }, contentType) : null;
    default:
      if (isJson) return new TranscriptConsumer(host, media.units, null, estimate);
      return CAPTIONS.test(type) ? new TranscriptConsumer(host, media.units, contentType, estimate) : null;
  }
}
