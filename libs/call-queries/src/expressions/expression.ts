import {
  dateTimeIssue,
  enumIssue,
  isJsonObject,
  isStorableText,
  issue,
  type JsonValue,
  type Loc,
  parseDateTime,
  tooManyIssue,
  valueIssue,
  withoutScheme,
} from '@hone/contracts';
import { Prisma } from '@hone/database';

import type { ExpressionContext } from './expression-context.js';
import { fail } from './fail.js';
import { literal } from './literal.js';
import { asBoolean, asNumber, asText, type Operand, withoutCase } from './operand.js';

const MAX_LEVELS = 32;
const MAX_NODES = 1_000;
const MAX_IN_VALUES = 1_000;
/** Each is a join, and takes the planner longer than the one before. */
const MAX_SEARCHES = 8;
/** Of `$traceHas` and of `$feedbackHas`: each is looked up for every call that the query comes to. */
const MAX_LOOKED_UP = 4;
const COMPARISONS: Record<string, Prisma.Sql> = {
  $eq: Prisma.sql`=`,
  $gt: Prisma.sql`>`,
  $gte: Prisma.sql`>=`,
  $lt: Prisma.sql`<`,
  $lte: Prisma.sql`<=`,
};
const CONVERSIONS = ['double', 'int', 'string', 'bool', 'exists'];
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\/\//;

/**
 * Turns `{"$expr": E}` into an SQL condition with three-valued logic. Names and values of the client reach SQL only
 * as bound parameters or from a fixed list of columns.
 *
 * @throws ValidationError a bad form, an unknown field, a limit
 */
export function compileExpression(expression: JsonValue, context: ExpressionContext, loc: Loc): Prisma.Sql {
  return new Compiler(context).condition(expression, loc, 1);
}

class Compiler {
  private nodes = 0;
  private searches = 0;
  private traces = 0;
  private feedback = 0;
  private isWithinTrace = false;
  /** Whether a `$traceHas` around this part is false where the part is. */
  private limitsTrace = false;

  constructor(private context: ExpressionContext) {}

  condition(node: JsonValue, loc: Loc, level: number): Prisma.Sql {
    const operand = this.operand(node, loc, level);
    return asBoolean(operand, this.context.refScheme);
  }

  private operand(node: JsonValue, loc: Loc, level: number): Operand {
    if (level > MAX_LEVELS) fail(valueIssue(`A query should have at most ${MAX_LEVELS} levels`, loc));
    if (++this.nodes > MAX_NODES) fail(valueIssue(`A query should have at most ${MAX_NODES} nodes`, loc));
    if (!isJsonObject(node)) fail(issue('dict_type', loc));
    const keys = Object.keys(node);
    const key = keys[0];
    if (key === undefined || keys.length > 1) fail(valueIssue('An expression should have exactly one operator', loc));
    const argument = node[key] as JsonValue;
    const { limitsTrace } = this;
    this.limitsTrace &&= key === '$and' || key === '$feedbackHas';
    const operand = this.operation(key, argument, [...loc, key], level);
    this.limitsTrace = limitsTrace;
    return operand;
  }

  private operation(key: string, argument: JsonValue, loc: Loc, level: number): Operand {
    switch (key) {
      case '$literal':
        return literal(argument, loc);
      case '$getField':
        return this.field(argument, loc);
      case '$convert':
        return this.convert(argument, loc, level);
      case '$size':
        return this.size(argument, loc, level);
      case '$and':
      case '$or':
        return boolean(this.junction(key, list(argument, loc), loc, level));
      case '$not':
        return boolean(Prisma.sql`(NOT ${this.condition(single(argument, loc), loc, level + 1)})`);
      case '$in':
        return boolean(this.in(list(argument, loc), loc, level));
      case '$contains':
        return boolean(this.contains(argument, loc, level));
      case '$search':
        return boolean(this.search(argument, loc));
      case '$traceHas':
        return boolean(this.traceHas(argument, loc, level));
      case '$feedbackHas':
        return boolean(this.feedbackHas(argument, loc, level));
      case '$eq':
      case '$gt':
      case '$gte':
      case '$lt':
      case '$lte':
        return boolean(this.comparison(key, list(argument, loc), loc, level));
      default:
        fail(valueIssue(`'${key.slice(0, 64)}' is no operator`, loc.slice(0, -1)));
    }
  }

  private junction(key: '$and' | '$or', parts: JsonValue[], loc: Loc, level: number): Prisma.Sql {
    if (parts.length === 0) return key === '$and' ? Prisma.sql`true` : Prisma.sql`false`;
    const conditions = parts.map((part, index) => this.condition(part, [...loc, index], level + 1));
    return Prisma.sql`(${Prisma.join(conditions, key === '$and' ? ' AND ' : ' OR ')})`;
  }

  private comparison(key: string, sides: JsonValue[], loc: Loc, level: number): Prisma.Sql {
    const [left, right] = this.pair(sides, loc, level);
    return this.compare(left, COMPARISONS[key] as Prisma.Sql, right, loc);
  }

  private in(sides: JsonValue[], loc: Loc, level: number): Prisma.Sql {
    if (sides.length !== 2) fail(valueIssue('Two operands are needed', loc));
    const left = this.operand(sides[0] as JsonValue, [...loc, 0], level + 1);
    const values = list(sides[1] as JsonValue, [...loc, 1]);
    if (values.length > MAX_IN_VALUES) fail(tooManyIssue(MAX_IN_VALUES, [...loc, 1]));
    if (values.length === 0) return Prisma.sql`false`;
    const equal = values.map((value, index) => {
      const at = [...loc, 1, index];
      const { $literal } = isJsonObject(value) ? value : {};
      return this.compare(left, COMPARISONS['$eq'] as Prisma.Sql, literal($literal ?? null, at), at);
    });
    return Prisma.sql`(${Prisma.join(equal, ' OR ')})`;
  }

  private compare(left: Operand, operator: Prisma.Sql, right: Operand, loc: Loc): Prisma.Sql {
    const { refScheme } = this.context;
    const sides = [left, right];
    if (sides.some(({ kind }) => kind === 'number')) {
      return Prisma.sql`(${asNumber(left, refScheme)} ${operator} ${asNumber(right, refScheme)})`;
    }
    if (sides.some(({ kind }) => kind === 'time') && sides.some((side) => typeof side.literal === 'string')) {
      const [a, b] = sides.map((side) => toTime(side, loc));
      return Prisma.sql`(${a} ${operator} ${b})`;
    }
    if (sides.some(({ kind }) => kind === 'ref') && sides.some((side) => typeof side.literal === 'string')) {
      const [a, b] = sides.map(toBareRef);
      return Prisma.sql`(${a} ${operator} ${b})`;
    }
    const [a, b] = [asText(left, refScheme), asText(right, refScheme)];
    // Equal is equal in every collation, and only that of the column lets its index serve. Two columns may differ in it.
    const isAnyCollation = operator === COMPARISONS['$eq'] && sides.some((side) => side.literal !== undefined);
    if (isAnyCollation) return Prisma.sql`(${a} = ${b})`;
    return Prisma.sql`(${a} COLLATE "C" ${operator} ${b} COLLATE "C")`;
  }

  private contains(argument: JsonValue, loc: Loc, level: number): Prisma.Sql {
    const {
      input,
      substr,
      case_insensitive: anyCase = false,
    } = fields(argument, ['input', 'substr', 'case_insensitive'], loc);
    if (typeof anyCase !== 'boolean' && anyCase !== null) fail(issue('bool_type', [...loc, 'case_insensitive']));
    const [haystack, needle] = [
      this.operand(required(input, [...loc, 'input']), [...loc, 'input'], level + 1),
      this.operand(required(substr, [...loc, 'substr']), [...loc, 'substr'], level + 1),
    ].map((operand) => asText(operand, this.context.refScheme)) as [Prisma.Sql, Prisma.Sql];
    return anyCase
      ? Prisma.sql`(position(${withoutCase(needle)} IN ${withoutCase(haystack)}) > 0)`
      : Prisma.sql`(position(${needle} IN ${haystack}) > 0)`;
  }

  private search(argument: JsonValue, loc: Loc): Prisma.Sql {
    const { search } = this.context;
    if (!search) fail(valueIssue("'$search' is for calls only", loc.slice(0, -1)));
    if (++this.searches > MAX_SEARCHES) fail(valueIssue(`A query should have at most ${MAX_SEARCHES} searches`, loc));
    return search(argument, loc);
  }

  private traceHas(argument: JsonValue, loc: Loc, level: number): Prisma.Sql {
    const outer = this.context;
    if (!outer.ofTrace) fail(valueIssue("'$traceHas' is for calls only", loc.slice(0, -1)));
    // It would ask the same trace once more for each of its calls.
    if (this.isWithinTrace) fail(valueIssue("'$traceHas' cannot be within another one", loc.slice(0, -1)));
    if (++this.traces > MAX_LOOKED_UP)
      fail(valueIssue(`A query should have at most ${MAX_LOOKED_UP} '$traceHas'`, loc));
    const { resolve, exists } = outer.ofTrace();
    [this.context, this.isWithinTrace, this.limitsTrace] = [{ ...outer, resolve }, true, true];
    const condition = this.condition(single(argument, loc), loc, level + 1);
    [this.context, this.isWithinTrace, this.limitsTrace] = [outer, false, false];
    return exists(condition, false);
  }

  private feedbackHas(argument: JsonValue, loc: Loc, level: number): Prisma.Sql {
    const outer = this.context;
    if (!outer.ofFeedback) fail(valueIssue("'$feedbackHas' is for calls only", loc.slice(0, -1)));
    if (++this.feedback > MAX_LOOKED_UP)
      fail(valueIssue(`A query should have at most ${MAX_LOOKED_UP} '$feedbackHas'`, loc));
    this.context = { resolve: outer.ofFeedback.resolve, refScheme: outer.refScheme };
    const condition = this.condition(single(argument, loc), loc, level + 1);
    this.context = outer;
    return outer.ofFeedback.exists(condition, this.limitsTrace);
  }

  private convert(argument: JsonValue, loc: Loc, level: number): Operand {
    const { input, to } = fields(argument, ['input', 'to'], loc);
    const operand = this.operand(required(input, [...loc, 'input']), [...loc, 'input'], level + 1);
    const { refScheme } = this.context;
    switch (required(to, [...loc, 'to'])) {
      case 'double':
        return { kind: 'number', sql: asNumber(operand, refScheme) };
      case 'int':
        return { kind: 'number', sql: Prisma.sql`trunc(${asNumber(operand, refScheme)})` };
      case 'string':
        return { kind: 'text', sql: asText(operand, refScheme) };
      case 'bool':
        return boolean(asBoolean(operand, refScheme));
      case 'exists':
        return boolean(Prisma.sql`(${operand.sql} IS NOT NULL)`);
      default:
        fail(enumIssue(CONVERSIONS, [...loc, 'to']));
    }
  }

  private size(argument: JsonValue, loc: Loc, level: number): Operand {
    const { kind, sql } = this.operand(single(argument, loc), loc, level + 1);
    if (kind === 'list') return { kind: 'number', sql: Prisma.sql`cardinality(${sql})` };
    if (kind !== 'json') fail(valueIssue('$size needs a list', loc));
    return {
      kind: 'number',
      sql: Prisma.sql`(CASE jsonb_typeof(${sql}) WHEN 'array' THEN jsonb_array_length(${sql}) END)`,
    };
  }

  private field(argument: JsonValue, loc: Loc): Operand {
    if (typeof argument !== 'string') fail(issue('string_type', loc));
    if (!isStorableText(argument)) fail(issue('string_unicode', loc));
    const operand = this.context.resolve(argument);
    if (!operand) fail(valueIssue(`There is no field '${argument.slice(0, 200)}'`, loc));
    return operand;
  }

  private pair(sides: JsonValue[], loc: Loc, level: number): [Operand, Operand] {
    if (sides.length !== 2) fail(valueIssue('Two operands are needed', loc));
    return sides.map((side, index) => this.operand(side, [...loc, index], level + 1)) as [Operand, Operand];
  }
}

const boolean = (sql: Prisma.Sql): Operand => ({ kind: 'boolean', sql });

function toTime(side: Operand, loc: Loc): Prisma.Sql {
  if (typeof side.literal !== 'string') return side.sql;
  const time = parseDateTime(side.literal);
  if (!time) fail(dateTimeIssue(loc));
  return Prisma.sql`${time.toISOString()}::timestamptz`;
}

function toBareRef(side: Operand): Prisma.Sql {
  if (typeof side.literal !== 'string') return side.sql;
  return Prisma.sql`${HAS_SCHEME.test(side.literal) ? withoutScheme(side.literal) : side.literal}::text`;
}

function list(value: JsonValue, loc: Loc): JsonValue[] {
  if (!Array.isArray(value)) fail(issue('list_type', loc));
  return value;
}

/** The argument itself, or the only element of a list. */
const single = (value: JsonValue, loc: Loc): JsonValue => {
  if (!Array.isArray(value)) return value;
  if (value.length !== 1) fail(valueIssue('One operand is needed', loc));
  return value[0] as JsonValue;
};

function fields<Key extends string>(value: JsonValue, known: Key[], loc: Loc): Partial<Record<Key, JsonValue>> {
  if (!isJsonObject(value)) fail(issue('dict_type', loc));
  for (const key of Object.keys(value)) if (!known.includes(key as Key)) fail(issue('extra_forbidden', [...loc, key]));
  return value as Partial<Record<Key, JsonValue>>;
}

function required(value: JsonValue | undefined, loc: Loc): JsonValue {
  if (value === undefined) fail(issue('missing', loc));
  return value;
}
