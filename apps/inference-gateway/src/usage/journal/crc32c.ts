/** The Castagnoli polynomial, bits reversed (RFC 3720, section 12.1). */
const POLYNOMIAL = 0x82f63b78;
const STEP = 8;

/** Of each byte, and of each byte with 1 to 7 zeros behind it: eight bytes are taken in one step ("slicing by 8"). */
const [T0, T1, T2, T3, T4, T5, T6, T7] = tables();

/** CRC-32C of `bytes[start..end)`, unsigned. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = -1;
  let at = start;
  for (const last = end - STEP; at <= last; at += STEP) {
    const low =
      crc ^ (byte(bytes, at) | (byte(bytes, at + 1) << 8) | (byte(bytes, at + 2) << 16) | (byte(bytes, at + 3) << 24));
    crc =
      of(T7, low) ^
      of(T6, low >>> 8) ^
      of(T5, low >>> 16) ^
      of(T4, low >>> 24) ^
      of(T3, byte(bytes, at + 4)) ^
      of(T2, byte(bytes, at + 5)) ^
      of(T1, byte(bytes, at + 6)) ^
      of(T0, byte(bytes, at + 7));
  }
  for (; at < end; at++) crc = (crc >>> 8) ^ of(T0, crc ^ byte(bytes, at));
  return ~crc >>> 0;
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] as number;
}

function of(table: Int32Array, index: number): number {
  return table[index & 0xff] as number;
}

type Table = Int32Array<ArrayBuffer>;

function tables(): [Table, Table, Table, Table, Table, Table, Table, Table] {
  const first = Int32Array.from({ length: 256 }, (_, index) => {
    let crc = index;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    return crc;
  });
  const shifted = (table: Table): Table => table.map((crc) => (crc >>> 8) ^ of(first, crc));
  const all = [first];
  while (all.length < STEP) all.push(shifted(all.at(-1) as Table));
  return all as ReturnType<typeof tables>;
}
