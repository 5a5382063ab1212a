import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';

import type { JsonValue } from '@hone/contracts';
import type protobuf from 'protobufjs/light.js';

import { OTLP_SCHEMA } from './otlp-schema.js';

let schema: protobuf.Root | undefined;

/** What an exporter sends, and what it is answered with. */
export type RequestName = 'ExportTraceServiceRequest' | 'ExportLogsServiceRequest';
export type ResponseName = 'ExportTraceServiceResponse' | 'ExportLogsServiceResponse' | 'ExportMetricsServiceResponse';
type MessageName = RequestName | ResponseName | 'RpcStatus';

/** Read with the first request in protobuf: most installations never see one, and each would start later. */
function typeOf(name: MessageName): protobuf.Type {
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
export function decodeRequest(name: RequestName, bytes: Uint8Array): JsonValue {
  const type = typeOf(name);
  return type.toObject(type.decode(bytes), FORM) as JsonValue;
}

/** What a request is answered with. @param partialSuccess what was not stored; null: all was */
export const encodeResponse = (name: ResponseName, partialSuccess: object | null): Buffer =>
  encode(name, partialSuccess ? { partialSuccess } : {});

/** What a request that failed is answered with. @param code of `google.rpc.Code` */
export const encodeStatus = (code: number, message: string): Buffer => encode('RpcStatus', { code, message });

function encode(name: MessageName, fields: Record<string, unknown>): Buffer {
  const type = typeOf(name);
  return Buffer.from(type.encode(type.create(fields)).finish());
}
