/** `JSON.parse` of bytes: every number is a double. Undefined where they are no JSON. */
export function parsePlainJson(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
