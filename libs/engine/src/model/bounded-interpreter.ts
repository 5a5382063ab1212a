import { Environment, Interpreter, Template } from '@huggingface/jinja';

/** What the library's declarations say without types, as their imports have no file extensions. */
interface Evaluation {
  evaluate(statement: unknown, environment: unknown): { readonly value?: unknown };
  run(program: Template['parsed']): { readonly value?: unknown };
}
const LibraryInterpreter = Interpreter as unknown as new (environment: object) => Evaluation;
const LibraryEnvironment = Environment as unknown as new () => { set(name: string, value: unknown): unknown };

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

/** A template that came with a model makes more than the rendering of a conversation needs. */
export class TemplateBoundError extends Error {}

/**
 * Runs a parsed template as `Template.render` does, with a bound on its steps and on what it makes: templates come with
 * models, and loops in loops of a few characters would keep a process busy for days, or fill its memory.
 *
 * @throws TemplateBoundError
 */
export function renderBounded(template: Template, input: Readonly<Record<string, unknown>>): string {
  const environment = new LibraryEnvironment();
  for (const [name, value] of Object.entries({ ...GLOBALS, ...input })) environment.set(name, value);
  const { values, characters } = sizeOf(input);
  const interpreter = new BoundedInterpreter(environment, {
    steps: STEPS + STEPS_PER_VALUE * values,
    work: WORK + WORK_PER_VALUE * values + WORK_PER_CHARACTER * characters,
  });
  return String(interpreter.run(template.parsed).value);
}

/** The names that every template has; `range` with a bound. */
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

/** What a rendering may do. */
interface Bounds {
  readonly steps: number;
  readonly work: number;
}

class BoundedInterpreter extends LibraryInterpreter {
  private stepsLeft: number;
  private workLeft: number;

  constructor(
    environment: object,
    private readonly bounds: Bounds,
  ) {
    super(environment);
    this.stepsLeft = bounds.steps;
    this.workLeft = bounds.work;
  }

  override evaluate(statement: unknown, environment: unknown): { readonly value?: unknown } {
    this.stepsLeft -= 1;
    if (this.stepsLeft < 0) throw new TemplateBoundError('it takes too many steps');
    const result = super.evaluate(statement, environment);
    const { value } = result;
    if (typeof value === 'string') this.work(value.length);
    if (Array.isArray(value)) this.checkList(value.length, (statement as { type?: unknown }).type);
    return result;
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

/** As Python's. */
function boundedRange(first: number, end?: number, step = 1): number[] {
  const [start, stop] = end === undefined ? [0, first] : [first, end];
  if (step === 0) throw new Error('range() step must not be zero');
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > MAX_ITEMS) throw new TemplateBoundError(`it makes a list of ${count} items`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}
