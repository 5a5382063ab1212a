const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const HEX_DIGITS = Buffer.from('0123456789abcdef');
const BITS_PER_DIGIT = 4;

/**
 * Bytes as a chunk of a body in HTTP/1.1 (RFC 9112, section 7.1), in one piece. Written byte by byte: two calls into
 * the runtime would cost as much as all the rest, once per token of every stream.
 *
 * @param bytes at least one: a chunk of none would end the body
 */
export function toHttpChunk(bytes: Buffer): Buffer {
  const { length } = bytes;
  let at = hexDigits(length);
  const chunk = Buffer.allocUnsafe(at + length + 4);
  for (let digit = at - 1, left = length; digit >= 0; digit--, left >>>= BITS_PER_DIGIT) {
    chunk[digit] = HEX_DIGITS[left & 0xf] as number;
  }
  chunk[at++] = CARRIAGE_RETURN;
  chunk[at++] = LINE_FEED;
  chunk.set(bytes, at);
  at += length;
  chunk[at++] = CARRIAGE_RETURN;
  chunk[at] = LINE_FEED;
  return chunk;
}

function hexDigits(value: number): number {
  let digits = 1;
  for (let left = value >>> BITS_PER_DIGIT; left > 0; left >>>= BITS_PER_DIGIT) digits++;
  return digits;
}
