/** What a request asks for, by its path below an upstream's base URL. */
export type Endpoint = 'chat/completions' | 'completions' | 'embeddings' | NativeEndpoint;
/** A door whose form only some upstreams speak: for all others, its requests become chat completions. */
export type NativeEndpoint = 'responses' | 'messages';

/** What chat models answer, and all that a target answers which says nothing of it. */
export const CHAT: Endpoint = 'chat/completions';
export const CHAT_ONLY: ReadonlySet<Endpoint> = new Set([CHAT]);

export const isNative = (endpoint: Endpoint): endpoint is NativeEndpoint =>
  endpoint === 'responses' || endpoint === 'messages';
