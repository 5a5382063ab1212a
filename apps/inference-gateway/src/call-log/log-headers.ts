import { isJsonObject, type JsonValue, LOG_LEVELS, type LogLevel, parseJson } from '@hone/contracts';

import { GatewayError } from '../shared/errors/gateway-error.js';
import { NO_RETRY } from '../shared/errors/retry-headers.js';

const MAX_THREAD_LENGTH = 128;
const MAX_METADATA_BYTES = 4_096;
/** https://www.w3.org/TR/trace-context/: version, trace id, parent id, flags. */
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/;
const ZEROS = /^0+$/;

/** A header of ours is malformed. */
export class InvalidHeaderError extends GatewayError {
  static override readonly kind = 'unprocessable';
  static override readonly code = 'invalid_header';
  constructor(name: string, problem: string) {
    super(`The header ${name} ${problem}.`, { headers: NO_RETRY, param: name });
  }
}

/** What a request says of the call that it becomes. */
export interface LogHeaders {
  /** `Hone-Log`: at most this much is kept. */
  readonly level: LogLevel;
  /** `Hone-Thread`: the conversation. */
  readonly threadId: string | null;
  /** `Hone-Metadata`: exact text of a JSON object. */
  readonly metadata: string | null;
  /** Of `traceparent`. */
  readonly traceId: string | null;
  readonly parentId: string | null;
}

/**
 * @param header value of a header by its lower-case name
 * @throws InvalidHeaderError a caller who asked for less must not get more
 */
export function readLogHeaders(header: (name: string) => string | undefined): LogHeaders {
  const [, traceId = null, parentId = null] = TRACE_PARENT.exec(header('traceparent') ?? '') ?? [];
  return {
    level: readLevel(header('hone-log')),
    threadId: readThread(header('hone-thread')),
    metadata: readMetadata(header('hone-metadata')),
    traceId: traceId !== null && ZEROS.test(traceId) ? null : traceId,
    parentId: parentId !== null && ZEROS.test(parentId) ? null : parentId,
  };
}

function readLevel(sent: string | undefined): LogLevel {
  if (sent === undefined) return 'full';
  const level = LOG_LEVELS.find((one) => one === sent.trim().toLowerCase());
  if (level === undefined)
    throw new InvalidHeaderError('Hone-Log', `is '${sent.slice(0, 50)}'; it takes ${LOG_LEVELS.join(', ')}`);
  return level;
}

/** @param sent `Hone-Thread` @throws InvalidHeaderError */
export function readThread(sent: string | undefined): string | null {
  if (sent === undefined || sent === '') return null;
  if (sent.length > MAX_THREAD_LENGTH) {
    throw new InvalidHeaderError('Hone-Thread', `has ${sent.length} characters; the limit is ${MAX_THREAD_LENGTH}`);
  }
  return sent;
}

function readMetadata(sent: string | undefined): string | null {
  if (sent === undefined || sent === '') return null;
  // Node reads headers as Latin-1, clients write UTF-8.
  const bytes = Buffer.from(sent, 'latin1');
  if (bytes.length > MAX_METADATA_BYTES) {
    throw new InvalidHeaderError('Hone-Metadata', `has ${bytes.length} bytes; the limit is ${MAX_METADATA_BYTES}`);
  }
  const text = bytes.toString();
  if (!isJsonObject(parsed(text))) throw new InvalidHeaderError('Hone-Metadata', 'is no JSON object');
  return text;
}

function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
