import { isJsonObject, type JsonObject, type JsonValue, memberOf, stringifyJson } from '@hone/contracts';
import { tryParseJson } from '@hone/json';
import { failureOf, type KeyRequests, ServiceRefusedError, ServiceUnavailableError } from '@hone/service-client';

const REQUEST_MS = 120_000;
const MAX_ANSWER_BYTES = 16 * 1_048_576;
/** A conflict that passes: the same request is still being answered. Others say that something has changed. */
const IN_PROGRESS = 'idempotency.in_progress';
const CONFLICT = 409;

/** What another service of Hone is asked. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the address of the service. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Makes a repetition of a POST the same write. */
  readonly idempotencyKey?: string | undefined;
}

/** Where a service is, and what it is called in sentences and codes. */
export interface ServiceAddress {
  readonly url: string | undefined;
  readonly name: string;
  readonly variable: string;
}

/** Asks another service of Hone in the name of the owner of a key. */
export abstract class JsonService {
  protected constructor(
    private readonly requests: KeyRequests,
    private readonly address: ServiceAddress,
  ) {}

  /** Whether there is one to ask. */
  get isThere(): boolean {
    return this.address.url !== undefined;
  }

  /** @throws ServiceRefusedError, ServiceUnavailableError, KeyEndedError */
  async ask(keyId: string, request: ServiceRequest): Promise<JsonObject> {
    const text = await this.read(keyId, request);
    const answer = tryParseJson(text);
    if (isJsonObject(answer)) return answer;
    throw new ServiceRefusedError('answer_unknown', `The ${this.address.name} service answered something else.`);
  }

  /** The text of an answer. @throws ServiceRefusedError, ServiceUnavailableError, KeyEndedError */
  async read(keyId: string, { method, path, body, idempotencyKey }: ServiceRequest): Promise<string> {
    const { url, name, variable } = this.address;
    if (url === undefined)
      throw new ServiceRefusedError(`${name}_unknown`, `${variable} does not say where the ${name} service is.`);
    const { status, text } = await this.requests.ask(keyId, {
      ...{ method, url: url + path, ...(body && { body: stringifyJson(body) }) },
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      ...{ signal: AbortSignal.timeout(REQUEST_MS), patienceMs: 0, maxAnswerBytes: MAX_ANSWER_BYTES },
      ...{ name: `The ${name} service`, unreachable: `${name}_unreachable` },
    });
    if (status === 200) return text;
    throw refusalOf(status, tryParseJson(text), text);
  }
}

/** A conflict is final here, and a body that is not valid says where. */
function refusalOf(status: number, answer: JsonValue | undefined, text: string): Error {
  const code = memberOf(answer, 'code');
  const detail = memberOf(answer, 'detail');
  const message = Array.isArray(detail) ? sentenceOf(detail[0]) : detail;
  if (status === CONFLICT && code !== IN_PROGRESS)
    return new ServiceRefusedError(String(code), String(message ?? text), false, status);
  const failure = failureOf(status, text);
  if (failure instanceof ServiceUnavailableError || typeof message !== 'string') return failure;
  return new ServiceRefusedError(failure.code, message, false, status);
}

function sentenceOf(issue: JsonValue | undefined): string | undefined {
  const [loc, msg] = [memberOf(issue, 'loc'), memberOf(issue, 'msg')];
  return typeof msg === 'string' ? `${Array.isArray(loc) ? loc.slice(1).join('.') : ''}: ${msg}` : undefined;
}
