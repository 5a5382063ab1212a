import { isJsonObject, type JsonValue } from '@hone/contracts';

/** What the model knows of a call: columns by name; values as they were sent. */
export type ModelRecord = Readonly<Record<string, JsonValue>>;
/** A truth value of three-valued logic. */
export type Truth = boolean | null;

/** A value amid an expression: what it is, and how it reads as text, number and truth value. */
interface Value {
  kind: 'text' | 'number' | 'boolean' | 'time' | 'json';
  /** `undefined`: the path of a JSON value leads nowhere. */
  of: JsonValue | undefined;
  isLiteral?: boolean;
}

const JSON_COLUMNS = ['attributes', 'inputs', 'output', 'summary'];
const TIME_COLUMNS = ['started_at', 'ended_at'];
const NUMBER_COLUMNS = ['run_step', 'summary.hone.latency_ms'];
const NUMBER = /^[+-]?[0-9]+([.][0-9]*)?([eE][+-]?[0-9]{1,3})?$/;

/** Section 2.5 of the design, in TypeScript: whether a record meets an expression. */
export function evaluate(expression: JsonValue, record: ModelRecord): Truth {
  return truthOf(valueOf(expression, record));
}

function valueOf(node: JsonValue, record: ModelRecord): Value {
  const [[operator, argument]] = Object.entries(node as object) as [[string, JsonValue]];
  switch (operator) {
    case '$literal':
      return { ...literal(argument), isLiteral: true };
    case '$getField':
      return field(argument as string, record);
    case '$and':
      return bool((argument as JsonValue[]).map((one) => evaluate(one, record)).reduce(and, true));
    case '$or':
      return bool((argument as JsonValue[]).map((one) => evaluate(one, record)).reduce(or, false));
    case '$not': {
      const inner = evaluate(Array.isArray(argument) ? (argument[0] as JsonValue) : argument, record);
      return bool(inner === null ? null : !inner);
    }
    case '$in': {
      const [left, literals] = argument as [JsonValue, JsonValue[]];
      const equal = literals.map((one) => compare('$eq', valueOf(left, record), valueOf(one, record)));
      return bool(equal.reduce(or, false));
    }
    case '$contains':
      return contains(argument as Record<string, JsonValue>, record);
    case '$convert':
      return convert(argument as Record<string, JsonValue>, record);
    default: {
      const [left, right] = argument as [JsonValue, JsonValue];
      return bool(compare(operator, valueOf(left, record), valueOf(right, record)));
    }
  }
}

const bool = (of: Truth): Value => ({ kind: 'boolean', of });
const and = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true;
const or = (a: Truth, b: Truth): Truth => (a === true || b === true ? true : a === null || b === null ? null : false);

function literal(of: JsonValue): Value {
  if (typeof of === 'number') return { kind: 'number', of };
  return typeof of === 'boolean' ? bool(of) : { kind: 'text', of };
}

function field(name: string, record: ModelRecord): Value {
  const path = name.split(/(?<!\\)\./).map((part) => part.replaceAll('\\.', '.'));
  const column = path[0] as string;
  if (Object.hasOwn(record, name)) {
    const of = record[name] as JsonValue;
    if (JSON_COLUMNS.includes(name)) return { kind: 'json', of };
    if (TIME_COLUMNS.includes(name)) return { kind: 'time', of };
    return { kind: NUMBER_COLUMNS.includes(name) ? 'number' : 'text', of };
  }
  let of: JsonValue | undefined = record[column];
  for (const part of path.slice(1)) {
    if (Array.isArray(of)) of = /^-?\d+$/.test(part) ? of.at(Number(part)) : undefined;
    else of = isJsonObject(of) && Object.hasOwn(of, part) ? (of[part] as JsonValue) : undefined;
  }
  return { kind: 'json', of };
}

/** JSON reads as text: strings as they are, other values as JSON, null and missing as the empty text. */
function textOf({ kind, of }: Value): string | null {
  if (kind === 'json') {
    if (of === undefined || of === null) return '';
    return typeof of === 'string' ? of : jsonbText(of);
  }
  if (of === null || of === undefined) return null;
  return String(of);
}

/** As Postgres prints jsonb: keys by length, then by bytes, with blanks. */
function jsonbText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(jsonbText).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return `{${keys.map((key) => `${JSON.stringify(key)}: ${jsonbText(value[key] as JsonValue)}`).join(', ')}}`;
}

function numberOf(value: Value): number | null {
  const { kind, of } = value;
  if (kind === 'time') return of === null ? null : Date.parse(of as string) / 1_000;
  if (typeof of === 'number') return of;
  if (kind === 'json' && typeof of !== 'string') return null;
  const text = textOf(value);
  return text !== null && NUMBER.test(text) ? Number(text) : null;
}

function truthOf(value: Value): Truth {
  if (value.kind === 'boolean') return value.of as Truth;
  const text = textOf(value);
  return text === 'true' ? true : text === 'false' ? false : null;
}

function compare(operator: string, left: Value, right: Value): Truth {
  const sides = [left, right];
  if (sides.some(({ kind }) => kind === 'number')) return ordered(operator, numberOf(left), numberOf(right));
  if (
    sides.some(({ kind }) => kind === 'time') &&
    sides.some(({ of, isLiteral }) => isLiteral && typeof of === 'string')
  ) {
    const [a, b] = sides.map(({ of }) => (typeof of === 'string' ? Date.parse(of) : null));
    return ordered(operator, a ?? null, b ?? null);
  }
  return ordered(operator, textOf(left), textOf(right));
}

function ordered<T extends string | number>(operator: string, a: T | null, b: T | null): Truth {
  if (a === null || b === null) return null;
  const order =
    typeof a === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b as string)) : (a as number) - (b as number);
  switch (operator) {
    case '$eq':
      return order === 0;
    case '$gt':
      return order > 0;
    case '$gte':
      return order >= 0;
    case '$lt':
      return order < 0;
    default:
      return order <= 0;
  }
}

function contains(argument: Record<string, JsonValue>, record: ModelRecord): Value {
  const [input, substr] = [argument['input'], argument['substr']].map((one) =>
    textOf(valueOf(one as JsonValue, record)),
  );
  if (input === null || substr === null || input === undefined || substr === undefined) return bool(null);
  const fold = (text: string) => (argument['case_insensitive'] === true ? text.toLowerCase().toUpperCase() : text);
  return bool(fold(input).includes(fold(substr)));
}

function convert(argument: Record<string, JsonValue>, record: ModelRecord): Value {
  const value = valueOf(argument['input'] as JsonValue, record);
  switch (argument['to']) {
    case 'double':
      return { kind: 'number', of: numberOf(value) };
    case 'int': {
      const number = numberOf(value);
      return { kind: 'number', of: number === null ? null : Math.trunc(number) };
    }
    case 'string':
      return { kind: 'text', of: textOf(value) };
    case 'bool':
      return bool(truthOf(value));
    default:
      return bool(value.kind === 'json' ? value.of !== undefined : value.of !== null);
  }
}
