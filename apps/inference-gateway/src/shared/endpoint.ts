import type { ModelKind } from '@hone/contracts';

/** What a request asks for, by its path below an upstream's base URL. */
export type Endpoint = 'chat/completions' | 'completions' | 'embeddings' | NativeEndpoint | MediaEndpoint;
/** A door whose form only some upstreams speak: for all others, its requests become chat completions. */
export type NativeEndpoint = 'responses' | 'messages';
/** Images and audio, in the request or in the answer: both are passed on as they are. */
type MediaEndpoint = ImageEndpoint | 'audio/speech' | TranscriptEndpoint;
type ImageEndpoint = 'images/generations' | 'images/edits';
export type TranscriptEndpoint = 'audio/transcriptions' | 'audio/translations';

/** What a model of each kind answers, and nothing else. */
export const ANSWERED: Readonly<Record<ModelKind, readonly Endpoint[]>> = {
  embedding: ['embeddings'],
  image: ['images/generations', 'images/edits'],
  speech: ['audio/speech'],
  transcription: ['audio/transcriptions', 'audio/translations'],
};

/** What chat models answer, and all that a target answers which says nothing of it. */
export const CHAT: Endpoint = 'chat/completions';
export const CHAT_ONLY: ReadonlySet<Endpoint> = new Set([CHAT]);

export const isNative = (endpoint: Endpoint): endpoint is NativeEndpoint =>
  endpoint === 'responses' || endpoint === 'messages';
