import { readLines } from '../streams/lines.js';
import type { RawBody, RequestOptions } from './request-options.js';
import type { Exchange, Transport } from './transport.js';

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';

type Parameters = Readonly<Record<string, string | number | boolean | readonly (string | number)[] | undefined>>;

/**
 * The methods of a group, as its table describes them: `<method> <flags> <path>` each. Flags: the answer is `j` JSON,
 * `l` lines of JSON or `b` bytes; `p` the first argument holds the parameters of path and query, `d` the next one is the
 * body; `r` repeating it does no harm, `k` it takes an Idempotency-Key.
 */
export function toMethods<Group>(transport: Transport, table: Readonly<Record<string, string>>): Group {
  const methods = Object.entries(table).map(([name, code]) => [name, toMethod(transport, code)]);
  return Object.fromEntries(methods) as Group;
}

function toMethod(transport: Transport, code: string): (...values: unknown[]) => unknown {
  const [method, flags, path] = code.split(' ') as [string, string, string];
  const has = (flag: string) => flags.includes(flag);
  const toExchange = (values: unknown[]): Exchange => {
    const rest = [...values];
    const parameters = has('p') ? (rest.shift() as Parameters | undefined) : undefined;
    const body = has('d') ? (rest.shift() as object | RawBody) : undefined;
    return {
      method,
      body,
      path: toPath(path, parameters ?? {}),
      accept: has('l') ? LINES_TYPE : has('j') ? JSON_TYPE : '*/*',
      isRepeatable: has('r'),
      takesKey: has('k'),
      options: rest[0] as RequestOptions,
    };
  };
  if (has('l'))
    return (...values) =>
      readLines(
        () => transport.open(toExchange(values)),
        (text) => transport.parse(text),
      );
  return (...values) => (has('j') ? transport.json(toExchange(values)) : transport.open(toExchange(values)));
}

/** Fills `{name}`s; the other parameters are the query, a list as one entry for each item. */
export function toPath(template: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  let path = template;
  for (const [name, value] of Object.entries(parameters)) {
    const slot = `{${name}}`;
    // The path of a file keeps its slashes.
    if (template.includes(slot))
      path = path.replace(slot, encodeURIComponent(String(value)).replace(/%2F/g, keepsSlash(name)));
    else if (value !== undefined) for (const item of [value].flat()) query.append(name, String(item));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

const keepsSlash = (name: string): string => (name === 'path' ? '/' : '%2F');
