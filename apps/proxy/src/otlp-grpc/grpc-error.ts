import { Reader } from 'protobufjs/minimal.js';

/** What a call fails with: a code of gRPC, and what is said of it. */
export interface GrpcError {
  code: number;
  details: string;
}

/**
 * HTTP status -> code of gRPC. Exporters send again what is "unavailable" (14), as they do over HTTP after a 429, 502, 503 or 504,
 * and give up what is refused.
 * Source: https://opentelemetry.io/docs/specs/otlp/#failures and google/rpc/code.proto.
 */
const CODES: Record<number, number> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  409: 10,
  413: 3,
  415: 3,
  422: 3,
  429: 14,
  502: 14,
  503: 14,
  504: 14,
  507: 14,
};
const INTERNAL = 13;

/** The same failure in the words of gRPC. @param body a `google.rpc.Status`, or anything else, which says nothing */
export function errorOf(httpStatus: number, body: Buffer): GrpcError {
  const code = CODES[httpStatus] ?? INTERNAL;
  return { code, details: messageOf(body) ?? `The server answered with HTTP status ${httpStatus}.` };
}

const MESSAGE_FIELD = 2;

/** The message of a `google.rpc.Status`; null: the bytes are none. */
function messageOf(bytes: Buffer): string | null {
  const reader = Reader.create(bytes);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === MESSAGE_FIELD) return reader.string();
      reader.skipType(tag & 7);
    }
  } catch {
    // Another service, or the proxy itself, has answered, in JSON.
  }
  return null;
}
