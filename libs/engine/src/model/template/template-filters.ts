/** Plain values: texts, numbers, lists and so on. */
export type Filter = (value: unknown, positional: readonly unknown[], named: ReadonlyMap<string, unknown>) => unknown;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&#39;',
  '"': '&#34;',
};
const CONVERSION = /%([-0 +#]*)(\d+)?(?:\.(\d+))?([sdifxr%])/g;
const MAX_WIDTH = 1_000;
const MAX_DIGITS = 20;
const DEFAULT_DIGITS = 6;

/**
 * Filters of Jinja that the library lacks. Source: the list of built-in filters at
 * https://jinja.palletsprojects.com/en/stable/templates/
 */
export const FILTERS: Readonly<Record<string, Filter>> = {
  e: (value) => escaped(value),
  escape: (value) => escaped(value),
  forceescape: (value) => escaped(value),
  format: (value, args) => formatted(String(value), args),
  sum: (value, [attribute, start], named) =>
    attributesOf(value, named.get('attribute') ?? attribute).reduce(
      (sum: number, item) => sum + Number(item),
      Number(named.get('start') ?? start ?? 0),
    ),
  min: (value, [, attribute], named) => extreme(value, named.get('attribute') ?? attribute, -1),
  max: (value, [, attribute], named) => extreme(value, named.get('attribute') ?? attribute, 1),
  batch: (value, [size, fill], named) =>
    batches(listOf(value), Number(named.get('linecount') ?? size), named.get('fill_with') ?? fill),
  round: (value, [digits], named) => rounded(Number(value), Number(named.get('precision') ?? digits ?? 0)),
  wordcount: (value) => String(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0,
};

const escaped = (value: unknown): string =>
  String(value ?? '').replace(/[&<>'"]/g, (character) => ESCAPES[character] as string);

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error('The filter needs a list.');
}

const attributesOf = (value: unknown, attribute: unknown): unknown[] =>
  listOf(value).map((item) => (typeof attribute === 'string' ? (item as Record<string, unknown>)[attribute] : item));

function extreme(value: unknown, attribute: unknown, sign: 1 | -1): unknown {
  const items = listOf(value);
  const keys = attributesOf(value, attribute) as (number | string)[];
  let best = 0;
  for (const [at, key] of keys.entries()) {
    const isBetter = sign > 0 ? key > (keys[best] as number | string) : key < (keys[best] as number | string);
    if (isBetter) best = at;
  }
  return items[best];
}

function batches(items: readonly unknown[], size: number, fill: unknown): unknown[][] {
  if (!(Number.isInteger(size) && size > 0)) throw new Error('batch needs a number of items above 0.');
  const rows = Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
  const last = rows.at(-1);
  while (fill !== undefined && fill !== null && last && last.length < size) last.push(fill);
  return rows;
}

/** As Jinja's `common` method: halves go away from 0. */
function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor)) / factor;
}

/** Python's `%` of texts, with the conversions of texts and numbers; values stand in the order of the text. */
function formatted(text: string, args: readonly unknown[]): string {
  const rest = [...args];
  return text.replace(CONVERSION, (_, flags: string, width = '0', precision: string | undefined, kind: string) => {
    if (kind === '%') return '%';
    if (rest.length === 0) throw new Error('format has fewer values than its text asks for.');
    return padded(converted(rest.shift(), kind, precision), flags, Math.min(MAX_WIDTH, Number(width)));
  });
}

function converted(value: unknown, kind: string, precision: string | undefined): string {
  const digits = Math.min(MAX_DIGITS, Number(precision ?? DEFAULT_DIGITS));
  switch (kind) {
    case 'd':
    case 'i':
      return String(Math.trunc(Number(value)));
    case 'f':
      return Number(value).toFixed(digits);
    case 'x':
      return Math.trunc(Number(value)).toString(16);
    default:
      return precision === undefined ? String(value) : String(value).slice(0, Number(precision));
  }
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  const sign = text.startsWith('-') ? '-' : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}
