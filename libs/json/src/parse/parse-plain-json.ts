/** `JSON.parse`, where invalid JSON is undefined: every number is a double. */
export function parsePlainJson(json: Buffer | string): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
