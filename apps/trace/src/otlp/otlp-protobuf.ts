import { Buffer } from 'node:buffer';

import type { JsonValue } from '@hone/contracts';
import protobuf from 'protobufjs';

import { OTLP_SCHEMA } from './otlp-schema.js';

const schema = protobuf.Root.fromJSON(OTLP_SCHEMA);
const REQUEST = schema.lookupType('ExportTraceServiceRequest');
const RESPONSE = schema.lookupType('ExportTraceServiceResponse');
const STATUS = schema.lookupType('RpcStatus');

/** As in OTLP's JSON form, apart from ids, which stay base64: 64-bit integers are strings, NaN too. */
const FORM = { longs: String, bytes: String, json: true };

/**
 * A request in protobuf, in the form of OTLP's JSON except that ids are base64.
 *
 * @throws Error the bytes are no such message, or nest deeper than 100 levels
 */
export const decodeRequest = (bytes: Uint8Array): JsonValue =>
  REQUEST.toObject(REQUEST.decode(bytes), FORM) as JsonValue;

/** What a request is answered with. @param partial null: every span was stored */
export const encodeResponse = (partial: { rejectedSpans: number; errorMessage: string } | null): Buffer =>
  Buffer.from(RESPONSE.encode(RESPONSE.create(partial ? { partialSuccess: partial } : {})).finish());

/** What a request that failed is answered with. @param code of `google.rpc.Code` */
export const encodeStatus = (code: number, message: string): Buffer =>
  Buffer.from(STATUS.encode(STATUS.create({ code, message })).finish());
