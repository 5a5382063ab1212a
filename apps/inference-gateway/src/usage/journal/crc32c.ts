/** The Castagnoli polynomial, bits reversed (RFC 3720, section 12.1). */
const POLYNOMIAL = 0x82f63b78;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** CRC-32C of `bytes[start..end)`, unsigned. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  for (let index = start; index < end; index++) {
    crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[index] as number)) & 0xff] as number);
  }
  return ~crc >>> 0;
}
