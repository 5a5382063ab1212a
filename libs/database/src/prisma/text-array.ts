const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const TEXT_OID = 25;
const NULL_LENGTH = -1;

/**
 * Texts as a parameter of a bulk statement that casts it to `text[]`, in Postgres' binary format: its text format would
 * have every character looked at and escaped here, and unescaped in the server.
 *
 * Format: int32 each of dimensions (1), whether there are nulls (1), element type (text), elements, lower bound (1); then
 * per element its length in bytes, -1 for null, and its UTF-8 bytes (`array_recv` of Postgres).
 *
 * @param texts or their UTF-8; without U+0000, which Postgres refuses
 */
export function textArray(texts: readonly (string | Buffer | null)[]): Buffer {
  const size = texts.reduce((bytes, text) => bytes + LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text)), 0);
  const array = Buffer.allocUnsafe(HEAD_BYTES + size);
  let at = 0;
  for (const field of [1, 1, TEXT_OID, texts.length, 1]) at = array.writeInt32BE(field, at);
  for (const text of texts) {
    const bytes = text === null ? NULL_LENGTH : writeText(array, text, at + LENGTH_BYTES);
    at = array.writeInt32BE(bytes, at) + Math.max(bytes, 0);
  }
  return array;
}

const writeText = (array: Buffer, text: string | Buffer, at: number): number =>
  typeof text === 'string' ? array.write(text, at) : text.copy(array, at);
