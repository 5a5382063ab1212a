import { Injectable } from '@nestjs/common';
import type { Class, JsonValue } from '@hone/contracts';
import { checked, HeavyWork, type RequestBody, ValidationError } from '@hone/platform';
import type { FastifyRequest } from 'fastify';

import { isProtobuf } from './otlp-error.filter.js';
import { decodeRequest, type RequestName } from './otlp-protobuf.js';
import type { IdEncoding } from './otlp-values.js';

/** Protobuf packs more values into a byte than JSON: from here on another thread reads it. */
const HEAVY_BYTES = 262_144;

/** A request of an exporter in the form of OTLP's JSON. */
export interface OtlpRequest {
  value: JsonValue;
  idEncoding: IdEncoding;
}

/** Reads what exporters send, in protobuf or JSON. */
@Injectable()
export class OtlpRequests {
  constructor(private readonly heavy: HeavyWork) {}

  /**
   * @param type of the request as JSON: only its outermost shape is checked
   * @throws ValidationError the bytes are no such request: a client whose every request is refused should hear of it
   */
  read(request: FastifyRequest, name: RequestName, type: Class): OtlpRequest {
    const body = request.body as RequestBody;
    if (isProtobuf(request)) return { value: this.#decode(name, body.bytes), idEncoding: 'base64' };
    const value = body.json();
    checked(type, value, 'body');
    return { value, idEncoding: 'hex' };
  }

  /** Looks at the outermost shape of JSON alone. @throws ValidationError */
  check(request: FastifyRequest, type: Class): void {
    if (!isProtobuf(request)) checked(type, (request.body as RequestBody).json(), 'body');
  }

  #decode(name: RequestName, bytes: Uint8Array): JsonValue {
    this.heavy.passOnIf(bytes.length > HEAVY_BYTES);
    try {
      return decodeRequest(name, bytes);
    } catch {
      // Whatever the decoder throws, the bytes are to blame: it sees nothing else.
      throw new ValidationError([{ loc: ['body'], msg: `The body is no ${name} in protobuf.`, type: 'value_error' }]);
    }
  }
}
