import { memberOf } from '@hone/contracts';
import { tryParseJson } from '@hone/json';

const MAX_MESSAGE = 300;
/** Statuses after which the same request may succeed. */
const TRANSIENT = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** A service refused the request for what it says: again it would, too. */
export class ServiceRefusedError extends Error {
  constructor(
    /** Of the error, as `model_not_found`. */
    readonly code: string,
    message: string,
    /** Whether a model may have worked for money. */
    readonly mayHaveCost = false,
    /** HTTP status; null: the response itself was unusable. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** No answer this time. */
export class ServiceUnavailableError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** Whether a model may have worked for money. */
    readonly mayHaveCost: boolean,
  ) {
    super(message);
  }
}

/** The key in whose name a service is asked has ended, or may not ask it. */
export class KeyEndedError extends Error {}

/** What a status other than 200 means. Bodies are those of either error format of ours. */
export function failureOf(status: number, text: string): ServiceRefusedError | ServiceUnavailableError {
  const body = tryParseJson(text);
  const error = memberOf(body, 'error') ?? body;
  const code = memberOf(error, 'code') ?? memberOf(error, 'type');
  const name = typeof code === 'string' ? code : `status_${status}`;
  const message = memberOf(error, 'message') ?? memberOf(error, 'detail');
  const sentence = (typeof message === 'string' ? message : text).slice(0, MAX_MESSAGE);
  if (TRANSIENT.has(status)) return new ServiceUnavailableError(name, sentence, status !== 429);
  return new ServiceRefusedError(name, sentence, false, status);
}
