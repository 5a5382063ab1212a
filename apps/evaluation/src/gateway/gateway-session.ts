import type { JsonObject, JsonValue } from '@hone/contracts';

export {
  KeyEndedError,
  ServiceRefusedError as GatewayRefusedError,
  ServiceUnavailableError as GatewayUnavailableError,
} from '@hone/service-client';

/** A whole answer of a model. */
export interface ChatAnswer {
  /** Text of the assistant's message. */
  readonly content: string;
  readonly costNanoUsd: number;
  /** The assistant's message as it came; null: there is none. */
  readonly message: JsonValue;
  /** Log-probabilities of its tokens, as they came; null: there are none. */
  readonly logprobs: JsonValue;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number };
  /** Ref of its call; null: the project keeps none. */
  readonly call: string | null;
  /** When the request was sent that was answered: a gateway that did not listen was waited for before. */
  readonly askedAt: Date;
  /** Milliseconds from then until the whole answer was there. */
  readonly latencyMs: number;
}

/** What a request is about, beside its body. */
export interface ChatOptions {
  /** Unique: the usage record has it. */
  readonly requestId: string;
  readonly projectId: string;
  /** Becomes `attributes.metadata` of the call. */
  readonly metadata: JsonObject;
  /** Conversation that the call belongs to. Absent: none. */
  readonly threadId?: string;
  readonly signal: AbortSignal;
}

/** Asks models in the name of the owner of a key. */
export interface GatewaySession {
  /** @throws GatewayRefusedError, GatewayUnavailableError, KeyEndedError */
  chat: (body: JsonObject, options: ChatOptions) => Promise<ChatAnswer>;
}
