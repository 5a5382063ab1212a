const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const HEX_DIGITS = Buffer.from('0123456789abcdef');
const BITS_PER_DIGIT = 4;

/**
 * Encodes bytes as a chunk of chunked transfer coding (HTTP/1.1, RFC 9112, section 7.1) in one buffer. It runs once per
 * token of every stream: a loop over the bytes is cheaper than two calls into the runtime.
 *
 * @param bytes at least one: an empty chunk would end the body
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
