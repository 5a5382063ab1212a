import { isJsonObject, type JsonValue, memberOf } from '@hone/contracts';

/** Characters. What is longer is a text about one failure rather than a kind of failures. */
const MAX_CLASS = 128;
/** Characters that are looked at. */
const MAX_READ = 65_536;
const TRACEBACK = 'Traceback (most recent call last):';
/** `openai.RateLimitError: Too many requests`. */
const TYPE = /^(?:Uncaught )?([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*):(?:\s|$)/;

/**
 * What kind of failure an exception is: its type where it names one, else the beginning of its first line. Exceptions are
 * read as clients write them: `<type>: <message>`, tracebacks of Python, and JSON objects that name their `type`.
 *
 * @returns null: there is none, or it says nothing
 */
export function errorClassOf(exception: string | null): string | null {
  if (exception === null) return null;
  const line = lineOf(exception);
  const found = typeOfJson(exception) ?? TYPE.exec(line)?.[1] ?? line;
  return found.slice(0, MAX_CLASS).toWellFormed().trimEnd() || null;
}

/** The line that says what happened: of a traceback, the first that is not indented; of several, of the last. */
function lineOf(exception: string): string {
  const at = exception.lastIndexOf(TRACEBACK);
  const lines = exception.slice(Math.max(at, 0)).slice(0, MAX_READ).trimStart().split('\n');
  const said = at < 0 ? lines[0] : (lines.slice(1).find((line) => /^\S/.test(line)) ?? lines[0]);
  return (said as string).trim();
}

function typeOfJson(exception: string): string | null {
  if (!exception.startsWith('{') || exception.length > MAX_READ) return null;
  const value = parse(exception);
  const type = typeOf(value) ?? typeOf(memberOf(value, 'error') ?? null);
  return type?.trim() ? type.trim() : null;
}

function typeOf(value: JsonValue): string | null {
  if (!isJsonObject(value)) return null;
  return (
    (['type', 'name'].map((name) => memberOf(value, name)).find((one) => typeof one === 'string') as string) ?? null
  );
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}
