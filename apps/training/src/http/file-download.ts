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

/** Files of the artifact store in one archive. */
export interface ArchiveDownload {
  /** Of letters, digits and `. _ -`. */
  fileName: string;
  /** With its quotes. */
  etag: string;
  /** Not called when the client has the archive already. */
  open(): Promise<Readable>;
}

/** The file as the body of an answer; its hash is its `ETag`. Undefined: the client has it, the answer is a 304. */
export async function sendFile(reply: FastifyReply, file: FileDownload): Promise<Readable | undefined> {
  if (isKnown(reply, `"${file.sha256}"`)) return undefined;
  const content = await file.open();
  // A file that is shorter than it should be then breaks the answer off: it cannot pass for the whole one.
  reply.header('content-type', 'application/octet-stream').header('content-length', file.bytes);
  return content;
}

/** An archive as the body of an answer. Undefined: the client has it, the answer is a 304. */
export async function sendArchive(reply: FastifyReply, archive: ArchiveDownload): Promise<Readable | undefined> {
  if (isKnown(reply, archive.etag)) return undefined;
  const content = await archive.open();
  reply.header('content-type', 'application/gzip');
  reply.header('content-disposition', `attachment; filename="${archive.fileName}"`);
  return content;
}

/** Sets the `ETag`; true: the client has these bytes, and the answer is made a 304. */
function isKnown(reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const known = reply.request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  const isThere = known?.some((one) => one === etag || one === '*') ?? false;
  if (isThere) reply.status(304);
  return isThere;
}
