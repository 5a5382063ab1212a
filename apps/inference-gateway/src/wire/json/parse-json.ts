/** Parses JSON; undefined when it is not valid. */
export function parseJson(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
