const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/**
 * Bytes as a chunk of a body in HTTP/1.1 (RFC 9112, section 7.1), in one piece.
 *
 * @param bytes at least one: a chunk of none would end the body
 */
export function toHttpChunk(bytes: Buffer): Buffer {
  const length = bytes.length.toString(16);
  const chunk = Buffer.allocUnsafe(length.length + bytes.length + 4);
  let at = chunk.write(length, 'latin1');
  chunk[at++] = CARRIAGE_RETURN;
  chunk[at++] = LINE_FEED;
  at += bytes.copy(chunk, at);
  chunk[at++] = CARRIAGE_RETURN;
  chunk[at] = LINE_FEED;
  return chunk;
}
