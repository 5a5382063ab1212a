import type { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

/** A file of the artifact store that a client may have. */
export interface FileDownload {
  bytes: number;
  /** Hex. */
  sha256: string;
  /** Not called when the client has the file already. */
  open(): Promise<Readable>;
}

/** The file as the body of an answer; its hash is its `ETag`. Undefined: the client has it, the answer is a 304. */
export async function sendFile(reply: FastifyReply, file: FileDownload): Promise<Readable | undefined> {
  const etag = `"${file.sha256}"`;
  reply.header('etag', etag);
  const known = reply.request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known?.some((one) => one === etag || one === '*')) {
    reply.status(304);
    return undefined;
  }
  const content = await file.open();
  // A file that is shorter than it should be then breaks the answer off: it cannot pass for the whole one.
  reply.header('content-type', 'application/octet-stream').header('content-length', file.bytes);
  return content;
}
