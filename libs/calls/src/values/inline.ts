/** Text with more bytes than this lives in chunks. */
export const MAX_INLINE_BYTES = 262_144;

/** Whether a text is stored in chunks. */
export const isLargeText = (text: string): boolean =>
  // Each UTF-16 unit is at most three bytes, so most texts need no counting.
  text.length * 3 > MAX_INLINE_BYTES && Buffer.byteLength(text) > MAX_INLINE_BYTES;
