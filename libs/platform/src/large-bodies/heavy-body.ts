/** A body of so many bytes is heavy, whatever it holds: copies and escapes of its text take long enough. */
const HEAVY_BYTES = 1_048_576;
/** A smaller one is looked into from here on. */
const LIGHT_BYTES = 131_072;
/** Each value is parsed, checked and printed; so many take a tenth of a second at worst. */
const HEAVY_VALUES = 30_000;
const COMMA = 0x2c;

/**
 * Whether a JSON body may hold the event loop for long. Its commas stand for its values: to count them takes a
 * millisecond, and a text full of commas is merely handled by another thread.
 */
export function isHeavy(bytes: Buffer): boolean {
  if (bytes.length > HEAVY_BYTES) return true;
  if (bytes.length <= LIGHT_BYTES) return false;
  let values = 0;
  for (let at = bytes.indexOf(COMMA); at >= 0 && values <= HEAVY_VALUES; at = bytes.indexOf(COMMA, at + 1)) values++;
  return values > HEAVY_VALUES;
}
