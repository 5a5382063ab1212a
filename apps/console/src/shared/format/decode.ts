/** A part of an address or ref, decoded; what is no encoding stays as it is, for it is somebody's typing error. */
export function decodeOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
