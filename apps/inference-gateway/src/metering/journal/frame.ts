import { crc32 } from 'node:zlib';

import { RecordList } from './record-list.js';

/** Far above any record: a greater length is damage. */
export const MAX_PAYLOAD_BYTES = 262_144;
const HEADER_BYTES = 8;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Most UTF-8 bytes of one UTF-16 code unit. */
const BYTES_PER_UNIT = 3;
const FIRST_BYTES = 65_536;
/** A larger buffer, needed after a slow write, is not kept. */
const MAX_KEPT_BYTES = 1_048_576;

/** A record on its way into the journal: its text or, to save copies, parts of it. */
export type RecordText = string | readonly (string | Buffer)[];

export const isTooLarge = (record: RecordText): boolean =>
  maxBytesOf(record) > MAX_PAYLOAD_BYTES && bytesOf(record) > MAX_PAYLOAD_BYTES;

const partsOf = (record: RecordText): readonly (string | Buffer)[] => (typeof record === 'string' ? [record] : record);

/** Without a look at the characters of texts. */
function maxBytesOf(record: RecordText): number {
  let bytes = 0;
  for (const part of partsOf(record)) bytes += typeof part === 'string' ? part.length * BYTES_PER_UNIT : part.length;
  return bytes;
}

const bytesOf = (record: RecordText): number =>
  partsOf(record).reduce((bytes, part) => bytes + Buffer.byteLength(part), 0);

/**
 * Encodes records as they are stored in a segment: length and crc32 of the JSON, 4 bytes each, little-endian, then the
 * JSON. All writes reuse one buffer.
 */
export class FrameWriter {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);

  /** The frames of all records; valid until the next call. */
  write(records: readonly RecordText[]): Buffer {
    if (this.bytes.length > MAX_KEPT_BYTES) this.bytes = Buffer.allocUnsafe(FIRST_BYTES);
    let end = 0;
    for (const record of records) end = this.add(record, end);
    return this.bytes.subarray(0, end);
  }

  /** @returns end offset of the frame */
  private add(record: RecordText, start: number): number {
    const from = start + HEADER_BYTES;
    this.makeRoom(from + maxBytesOf(record));
    const { bytes } = this;
    let end = from;
    for (const part of partsOf(record))
      end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end);
    const length = end - from;
    bytes.writeUInt32LE(length, start);
    bytes.writeUInt32LE(crc32(bytes.subarray(from, from + length)), start + 4);
    return end;
  }

  private makeRoom(size: number): void {
    if (size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * size);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

export interface DecodedFrames {
  records: RecordList;
  /** Bytes that were read; the rest is an incomplete frame. */
  consumedBytes: number;
  /** Bytes that belong to no valid record: a torn tail, or damage that was skipped. */
  skippedBytes: number;
}

/**
 * Reads at most `max` records. A damaged record does not hide the following ones: reading resumes at the next offset
 * where length, crc and braces agree.
 *
 * @param isEnd no bytes follow; otherwise `bytes` is at least as long as the longest record
 */
export function decodeFrames(bytes: Buffer, isEnd: boolean, max: number): DecodedFrames {
  const starts: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  let skippedBytes = 0;
  while (offset < bytes.length && starts.length < max) {
    const end = frameEnd(bytes, offset);
    if (end === undefined && !isEnd) break;
    if (end) {
      starts.push(offset + HEADER_BYTES);
      ends.push(end);
      offset = end;
    } else {
      offset++;
      skippedBytes++;
    }
  }
  return { records: new RecordList(bytes, starts, ends), consumedBytes: offset, skippedBytes };
}

/** End of the valid record at `offset`; 0: there is none; undefined: undecided, because the bytes end too early. */
function frameEnd(bytes: Buffer, offset: number): number | undefined {
  if (offset + HEADER_BYTES > bytes.length) return undefined;
  const length = bytes.readUInt32LE(offset);
  if (length < 2 || length > MAX_PAYLOAD_BYTES) return 0;
  const start = offset + HEADER_BYTES;
  const end = start + length;
  if (end > bytes.length) return undefined;
  // Braces first: in damaged bytes a crc at every offset would be slow.
  if (bytes[start] !== OPENING_BRACE || bytes[end - 1] !== CLOSING_BRACE) return 0;
  return crc32(bytes.subarray(start, end)) === bytes.readUInt32LE(offset + 4) ? end : 0;
}
