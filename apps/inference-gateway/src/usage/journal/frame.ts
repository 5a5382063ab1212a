import { crc32 } from 'node:zlib';

/** Far above any record; a length beyond it is damage. */
export const MAX_PAYLOAD_BYTES = 262_144;
const HEADER_BYTES = 8;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A record as it lies in a segment: length and crc32 of the JSON, 4 bytes each, little-endian, then the JSON. */
export function encodeFrame(json: string): Buffer {
  const length = Buffer.byteLength(json);
  if (length > MAX_PAYLOAD_BYTES) throw new RangeError(`A journal record of ${length} bytes is too large.`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + length);
  frame.write(json, HEADER_BYTES);
  frame.writeUInt32LE(length, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER_BYTES)), 4);
  return frame;
}

export interface DecodedFrames {
  /** JSON texts of objects. */
  payloads: string[];
  /** How far the reader came; what is behind it needs more bytes. */
  consumedBytes: number;
  /** Bytes that belong to no good record: a torn tail, or damage that was stepped over. */
  skippedBytes: number;
}

/**
 * Reads at most `max` records. A bad record does not hide those behind it: the next place at which length, crc and
 * braces agree is where reading goes on.
 *
 * @param isEnd nothing follows these bytes; otherwise there are at least as many as the longest record has
 */
export function decodeFrames(bytes: Buffer, isEnd: boolean, max: number): DecodedFrames {
  const payloads: string[] = [];
  let offset = 0;
  let skippedBytes = 0;
  while (offset < bytes.length && payloads.length < max) {
    const end = frameEnd(bytes, offset);
    if (end === undefined && !isEnd) break;
    if (end) {
      payloads.push(bytes.toString('utf8', offset + HEADER_BYTES, end));
      offset = end;
    } else {
      offset++;
      skippedBytes++;
    }
  }
  return { payloads, consumedBytes: offset, skippedBytes };
}

/** The end of the good record at `offset`; 0: there is none; undefined: the bytes end before that can be told. */
function frameEnd(bytes: Buffer, offset: number): number | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(offset);
  if (length < 2 || length > MAX_PAYLOAD_BYTES) return 0;
  const start = offset + HEADER_BYTES;
  const end = start + length;
  if (end > bytes.length) return undefined;
  // Braces first: where bytes are damaged, a crc at each of them would cost.
  if (bytes[start] !== OPENING_BRACE || bytes[end - 1] !== CLOSING_BRACE) return 0;
  return crc32(bytes.subarray(start, end)) === bytes.readUInt32LE(offset + 4) ? end : 0;
}
