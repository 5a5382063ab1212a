import { Reader } from 'protobufjs/minimal.js';

/** What a call fails with: a code of gRPC, and what is said of it. */
export interface GrpcError {
  code: number;
  details: string;
}

/** Exporters send again what is "unavailable", as they do over HTTP after one of these, and give up what is refused. */
const RETRIED = new Set([429, 502, 503, 504, 507]);
const UNAVAILABLE = 14;
const INTERNAL = 13;

/**
 * The same failure in the words of gRPC.
 * Source: https://opentelemetry.io/docs/specs/otlp/#failures
 *
 * @param body a `google.rpc.Status`, which has the code, or anything else, which says nothing
 */
export function errorOf(httpStatus: number, body: Buffer): GrpcError {
  const { code = INTERNAL, details = `The server answered with HTTP status ${httpStatus}.` } = readStatus(body);
  return { code: RETRIED.has(httpStatus) ? UNAVAILABLE : code, details };
}

const CODE_FIELD = 1;
const MESSAGE_FIELD = 2;

/** What a `google.rpc.Status` says; nothing where the bytes are none. */
function readStatus(bytes: Buffer): Partial<GrpcError> {
  const reader = Reader.create(bytes);
  const status: Partial<GrpcError> = {};
  try {
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag >>> 3 === CODE_FIELD) status.code = reader.int32();
      else if (tag >>> 3 === MESSAGE_FIELD) status.details = reader.string();
      else reader.skipType(tag & 7);
    }
    return status;
  } catch {
    return {}; // the proxy itself has answered, in JSON
  }
}
