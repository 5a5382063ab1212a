/** How the numbers of an embedding are written: a list, or the base64 text of 32-bit floats in little-endian order. */
export type EmbeddingFormat = 'float' | 'base64';

const DIGITS = 9;

/** The JSON of an embedding. Nine digits give each 32-bit float back. */
export function writtenEmbedding(embedding: Float32Array, format: EmbeddingFormat): string {
  if (format === 'float') return `[${Array.from(embedding, (value) => Number(value.toPrecision(DIGITS))).join()}]`;
  const { buffer, byteOffset, byteLength } = embedding;
  return `"${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}"`;
}
