/** A complete call as the model wrote it. */
export interface WrittenCall {
  readonly name: string;
  /** JSON text. */
  readonly arguments: string;
}

const HEAD = /^\s*\{\s*"name"\s*:\s*"(?:[^"\\]|\\.)*"\s*,\s*"(?:arguments|parameters)"\s*:\s*/s;

/**
 * Reads `{"name": …, "arguments": …}`, the members in this order and no others.
 *
 * @returns null while the call is incomplete
 */
export function readWrittenCall(text: string): WrittenCall | null {
  const head = HEAD.exec(text)?.[0];
  const whole = head === undefined ? null : parse(text);
  if (head === undefined || whole === null) return null;
  return { name: whole.name, arguments: text.slice(head.length, text.lastIndexOf('}')).trim() };
}

function parse(text: string): { name: string } | null {
  try {
    return JSON.parse(text) as { name: string };
  } catch {
    return null;
  }
}
