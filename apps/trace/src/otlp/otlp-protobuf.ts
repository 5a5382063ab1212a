import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';

import type { JsonValue } from '@hone/contracts';
import type protobuf from 'protobufjs/light.js';

import { OTLP_SCHEMA } from './otlp-schema.js';

let schema: protobuf.Root | undefined;

/** Read with the first request in protobuf: most installations never see one, and each would start later. */
function typeOf(name: 'ExportTraceServiceRequest' | 'ExportTraceServiceResponse' | 'RpcStatus'): protobuf.Type {
  schema ??= (createRequire(import.meta.url)('protobufjs/light.js') as typeof protobuf).Root.fromJSON(OTLP_SCHEMA);
  return schema.lookupType(name);
}

/** As in OTLP's JSON form, apart from ids, which stay base64: 64-bit integers are strings, NaN too. */
const FORM = { longs: String, bytes: String, json: true };

/**
 * A request in protobuf, in the form of OTLP's JSON except that ids are base64.
 *
 * @throws Error the bytes are no such message, or nest deeper than 100 levels
 */
export function decodeRequest(bytes: Uint8Array): JsonValue {
  const type = typeOf('ExportTraceServiceRequest');
  return type.toObject(type.decode(bytes), FORM) as JsonValue;
}

/** What a request is answered with. @param partial null: every span was stored */
export const encodeResponse = (partial: { rejectedSpans: number; errorMessage: string } | null): Buffer =>
  encode('ExportTraceServiceResponse', partial ? { partialSuccess: partial } : {});

/** What a request that failed is answered with. @param code of `google.rpc.Code` */
export const encodeStatus = (code: number, message: string): Buffer => encode('RpcStatus', { code, message });

function encode(name: Parameters<typeof typeOf>[0], fields: Record<string, unknown>): Buffer {
  const type = typeOf(name);
  return Buffer.from(type.encode(type.create(fields)).finish());
}
