import { Environment, Interpreter, Template } from '@huggingface/jinja';

import { type Filter, FILTERS } from './template-filters.js';
import type { Program } from './template-parser.js';

/** Types that the library's declarations leave untyped, as their imports have no file extensions. */
interface Evaluation {
  evaluate(statement: unknown, environment: unknown): RuntimeValue;
  evaluateArguments(args: unknown, environment: unknown): [RuntimeValue[], Map<string, RuntimeValue>];
  applyFilter(operand: RuntimeValue, filter: FilterNode, environment: unknown): RuntimeValue;
  run(program: Program['parsed']): RuntimeValue;
}
/** A value of the template: a text, a number, a list or map of such values, and so on. */
interface RuntimeValue {
  readonly type?: string;
  readonly value?: unknown;
}
interface Scope {
  set(name: string, value: unknown): RuntimeValue;
  setVariable(name: string, value: unknown): unknown;
}
const LibraryInterpreter = Interpreter as unknown as new (environment: object) => Evaluation;
const LibraryEnvironment = Environment as unknown as new (parent?: unknown) => Scope;

/** A filter by its name, or a call of one with arguments. */
interface FilterNode {
  readonly type: string;
  readonly value?: unknown;
  readonly callee?: FilterNode;
  readonly args?: unknown;
}
interface Loop {
  readonly type: 'For';
  readonly iterable: { readonly type: string };
}
interface Statement {
  readonly type?: string;
  readonly callee?: { readonly type: string; readonly value?: unknown };
  readonly args?: readonly unknown[];
}
/** What a recursive loop goes through; no name that a template can write. */
const RECURSION = ' items';

/** Expressions and statements that a rendering may evaluate, and more for each value that it is given. Some dozen are usual. */
const STEPS = 50_000;
const STEPS_PER_VALUE = 1_000;
/**
 * Characters of all texts, and items of all lists, that its steps may come to: of texts that a template makes by itself,
 * around each value that it is given, and of what it does with each character of those. Some three a character are usual.
 */
const WORK = 1 << 22;
const WORK_PER_VALUE = 1 << 12;
const WORK_PER_CHARACTER = 32;
/** Items of any list that a template may make. */
const MAX_ITEMS = 1 << 20;

/** A template evaluates more steps, or makes more, than the rendering of a conversation needs. */
export class TemplateBoundError extends Error {}

/**
 * Runs a parsed template as `Template.render` does, with a bound on its steps and on what it makes: templates come with
 * models, and loops in loops of a few characters would keep a process busy for days, or fill its memory.
 *
 * @throws TemplateBoundError
 */
export function renderBounded(template: Program, input: Readonly<Record<string, unknown>>): string {
  const environment = new LibraryEnvironment();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...input })) environment.set(name, value);
  const { values, characters } = sizeOf(input);
  const interpreter = new BoundedInterpreter(environment, {
    steps: STEPS + STEPS_PER_VALUE * values,
    work: WORK + WORK_PER_VALUE * values + WORK_PER_CHARACTER * characters,
  });
  return String(interpreter.run(template.parsed).value);
}

/** Variables of every template; `range` is bounded. */
const GLOBALS: Readonly<Record<string, unknown>> = {
  ...{ false: false, true: true, none: null, False: false, True: true, None: null },
  raise_exception: (message: string) => {
    throw new Error(message);
  },
  range: boundedRange,
  // The library's own, which it does not export.
  strftime_now: (format: string) => new Template('{{ strftime_now(format) }}').render({ format }),
};

/** Texts, numbers, lists and objects in it, and characters of the texts. Not recursive: it may be nested deeply. */
function sizeOf(value: unknown): { values: number; characters: number } {
  const size = { values: 0, characters: 0 };
  for (const open = [value]; open.length > 0; size.values += 1) {
    const next = open.pop();
    if (typeof next === 'string') size.characters += next.length;
    if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return size;
}

/** Budget of one rendering. */
interface Bounds {
  readonly steps: number;
  readonly work: number;
}

class BoundedInterpreter extends LibraryInterpreter {
  private stepsLeft: number;
  private workLeft: number;
  /** Running loops, the innermost last. */
  private readonly loops: Loop[] = [];

  constructor(
    environment: object,
    private readonly bounds: Bounds,
  ) {
    super(environment);
    this.stepsLeft = bounds.steps;
    this.workLeft = bounds.work;
  }

  override evaluate(statement: unknown, environment: unknown): RuntimeValue {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) throw new TemplateBoundError('it takes too many steps');
    const result = this.evaluateNode(statement as Statement, environment);
    const { value } = result;
    if (typeof value === 'string') this.work(value.length);
    if (Array.isArray(value)) this.checkList(value.length, (statement as { type?: unknown }).type);
    return result;
  }

  /** Also what the library lacks: calls of recursive loops, and tuples that a loop can take apart. */
  private evaluateNode(statement: Statement, environment: unknown): RuntimeValue {
    if (statement.type === 'For') return this.evaluateLoop(statement as Loop, environment);
    const loop = this.loops.at(-1);
    const isRecursion = statement.type === 'CallExpression' && statement.callee?.value === 'loop';
    if (isRecursion && loop && statement.callee?.type === 'Identifier') {
      return this.recurse(loop, statement.args ?? [], environment);
    }
    const result = super.evaluate(statement, environment);
    if (statement.type !== 'TupleLiteral') return result;
    // A tuple is a list of another class, which loops refuse to take apart.
    const List = Object.getPrototypeOf(result.constructor) as new (items: unknown) => RuntimeValue;
    return new List(result.value);
  }

  private evaluateLoop(loop: Loop, environment: unknown): RuntimeValue {
    this.loops.push(loop);
    try {
      return super.evaluate(loop, environment);
    } finally {
      this.loops.pop();
    }
  }

  /** `loop(items)` goes through other items as the loop around it does. */
  private recurse(loop: Loop, args: readonly unknown[], environment: unknown): RuntimeValue {
    const scope = new LibraryEnvironment(environment);
    scope.setVariable(RECURSION, this.evaluate(args[0], environment));
    const items = { type: 'Identifier', value: RECURSION };
    const { iterable } = loop;
    return this.evaluate(
      { ...loop, iterable: iterable.type === 'SelectExpression' ? { ...iterable, lhs: items } : items },
      scope,
    );
  }

  override applyFilter(operand: RuntimeValue, filter: FilterNode, environment: unknown): RuntimeValue {
    const name = String((filter.type === 'CallExpression' ? filter.callee : filter)?.value);
    if (!Object.hasOwn(FILTERS, name)) return super.applyFilter(operand, filter, environment);
    const [args, named] =
      filter.type === 'CallExpression'
        ? this.evaluateArguments(filter.args, environment)
        : [[], new Map<string, RuntimeValue>()];
    const plain = new Map(Array.from(named, ([key, value]) => [key, toPlain(value)]));
    const result = (FILTERS[name] as Filter)(toPlain(operand), args.map(toPlain), plain);
    return new LibraryEnvironment().set('result', result);
  }

  private checkList(items: number, statement: unknown): void {
    if (items > MAX_ITEMS) throw new TemplateBoundError(`it makes a list of more than ${MAX_ITEMS} items`);
    // A name stands for a list without making one.
    if (statement !== 'Identifier' && statement !== 'MemberExpression') this.work(items);
    // A loop over what a call made takes a step for each of it before its first pass.
    if (statement === 'CallExpression') this.stepsLeft -= items;
  }

  /** Each step on a text is counted by the text that it takes or gives: a step on a long one takes long. */
  private work(amount: number): void {
    this.workLeft -= amount;
    if (this.workLeft < 0) {
      throw new TemplateBoundError(`it goes through more than ${this.bounds.work} characters of text`);
    }
  }
}

/** Unwraps a value from the library's classes. */
function toPlain({ type, value }: RuntimeValue): unknown {
  if (type === 'UndefinedValue') return undefined;
  if (Array.isArray(value)) return value.map((item: RuntimeValue) => toPlain(item));
  if (!(value instanceof Map)) return value;
  return Object.fromEntries(Array.from(value as Map<string, RuntimeValue>, ([key, item]) => [key, toPlain(item)]));
}

/** As Python's. */
function boundedRange(first: number, end?: number, step = 1): number[] {
  const [start, stop] = end === undefined ? [0, first] : [first, end];
  if (step === 0) throw new Error('range() step must not be zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_ITEMS) throw new TemplateBoundError(`it makes a list of ${count} items`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
