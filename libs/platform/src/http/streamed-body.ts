import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { RouteConfig } from '@nestjs/platform-fastify';

import { EncodingUnsupportedError } from '../errors/platform.errors.js';

export const isKnownEncoding = (encoding: string): boolean => ['identity', 'gzip', 'x-gzip'].includes(encoding);

/** A request body that the handler reads itself, as it comes. */
export class StreamedBody {
  constructor(
    private readonly payload: Readable,
    private readonly encoding: string,
    /** As the client sent it. */
    readonly contentType: string | undefined,
  ) {}

  /**
   * The body, unpacked. Broken gzip ends it with an error whose `code` begins with `Z_`.
   *
   * @throws EncodingUnsupportedError
   */
  open(): Readable {
    if (!isKnownEncoding(this.encoding)) throw new EncodingUnsupportedError(this.encoding);
    const unpacked = this.encoding === 'identity' ? new PassThrough() : createGunzip();
    this.payload.on('error', (error) => unpacked.destroy(error)); // the client closed the connection
    return this.payload.pipe(unpacked);
  }

  /** Reads and drops what still comes, so that the client gets to read the answer. */
  drain(): void {
    this.payload.unpipe();
    this.payload.resume();
  }
}

export const streamBody = (payload: Readable, encoding: string, contentType: string | undefined): StreamedBody =>
  new StreamedBody(payload, encoding, contentType);

/** The body of the route is not collected: its handler finds a {@link StreamedBody} in `request.body`. */
export const TakesStreamedBody = (): MethodDecorator => RouteConfig({ body: 'streamed' });
