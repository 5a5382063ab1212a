import { PassThrough, type Readable } from 'node:stream';

import { RouteConfig } from '@nestjs/platform-fastify';

import { EncodingUnsupportedError } from '../errors/platform.errors.js';
import { codingOf, type ContentCoding, inflaterFor } from './read-body.js';

/** Content codings of request bodies, apart from those of chat completions. */
export const ACCEPTED_CODINGS: readonly ContentCoding[] = ['gzip', 'x-gzip'];

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
    const coding = codingOf(this.encoding, ACCEPTED_CODINGS);
    if (coding === null) throw new EncodingUnsupportedError(this.encoding);
    const unpacked = inflaterFor(coding) ?? new PassThrough();
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
