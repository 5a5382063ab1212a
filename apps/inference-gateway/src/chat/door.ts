import type { ProjectGrant } from '@hone/auth';
import type { Issue } from '@hone/contracts';

import type { NamedPrompt } from '../call-log/call-entry.js';
import type { AnswerSink } from '../dispatch/answer/answer-sink.js';
import type { ReplyForm } from '../http/exchange.js';
import type { Endpoint, NativeEndpoint } from '../shared/endpoint.js';
import type { InvalidRequestError } from '../shared/errors/gateway-error.js';
import type { RequestLimits } from '../shared/gateway-settings.js';
import type { MediaRequest } from '../shared/media-request.js';
import type { ParsedRequest } from './body/parse-chat-request.js';
import type { FillPrompt } from './prompts/filled-prompt.js';
import type { ReplySink } from './reply-sink.js';

/** A form of requests and answers that callers may use: the pipeline itself knows chat completions alone. */
export interface Door extends ReplyForm {
  /** What the ids of its answers begin with; the rest is the request's id. */
  readonly idPrefix: string;
  /**
   * Reads the chat completion that a body asks for.
   *
   * @param minPriority smallest `priority` that the key may send
   * @param context of the request
   * @throws InvalidRequestError
   */
  read(
    body: Buffer,
    limits: RequestLimits,
    minPriority: number,
    context: DoorContext,
  ): DoorRequest | Promise<DoorRequest>;
  /** Its bodies are multipart/form-data. Absent: they are JSON. */
  readonly takesForm?: true;
  /** Fields of chat completions -> the door's field with the same meaning, for errors; others have the same name. */
  readonly fieldNames?: ReadonlyMap<string, string>;
  /** What the fields of a body, which are not checked yet, say of who asks. Absent: `user`. */
  userOf?(fields: Readonly<Record<string, unknown>>): unknown;
}

/** What the fields of a request may name. */
export interface DoorContext {
  readonly project: ProjectGrant;
  readonly fillPrompt: FillPrompt;
  /** Of the request, as it was sent. */
  readonly contentType: string | undefined;
}

/** What a door must know of an answer. */
export interface AnswerFacts {
  /** The request's id. */
  readonly rid: string;
  /** The request and its answer become a call, with all that they hold. */
  readonly isKept: boolean;
}

/** A request as its door has read it. */
export interface DoorRequest extends ParsedRequest {
  /** What it asks for; its body is as upstreams take it there. Absent: a chat completion. */
  readonly endpoint?: Endpoint;
  /** Images or audio are in it, or asked for. Absent: neither. */
  readonly media?: MediaRequest;
  /**
   * Where an issue of the chat completion stands in the door's own body, before `fieldNames` rename its field; both begin
   * with `body`. Absent: in the same place.
   */
  toLoc?(loc: Issue['loc']): Issue['loc'];
  /** Translates the answer, a chat completion or its chunks. Absent: it is the answer as it is. */
  toSink?(reply: ReplySink, answer: AnswerFacts): AnswerSink;
  /** The prompt object whose messages it begins with. Absent: none. */
  readonly prompt?: NamedPrompt | undefined;
  /** What the call says of the door, as JSON of an object. Absent: nothing. */
  readonly callNote?: string;
  /** The request as it came, for targets that speak the door. Absent: none does. */
  readonly native?: NativeRequest;
  /** Why a chat completion cannot carry it, of which the other members are what can be: only targets that speak the door take it. */
  readonly refusal?: InvalidRequestError | undefined;
}

/** A request in its door's own form. */
export interface NativeRequest {
  readonly endpoint: NativeEndpoint;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Their JSON. */
  readonly body: Buffer;
  /** Headers of callers that belong to the form, lower-case. */
  readonly headerNames: readonly string[];
  /** Id of the answer that it continues, where only the gateway knows that one. Absent: it continues none. */
  readonly continues?: string | undefined;
}
