import { isJsonObject, JsonNumber } from '@hone/client';

import { parseRef } from '../data/refs.js';

/** How a criterion is answered. */
export type Control =
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isInteger: boolean }
  | { readonly kind: 'text' }
  | { readonly kind: 'json' };

export interface Option {
  readonly label: string;
  readonly value: unknown;
}

/** One thing that annotators are asked, made of an `AnnotationSpec`. */
export interface Criterion {
  /** Ref of the spec, as the queue has it. */
  readonly ref: string;
  /** Name of the spec's object: feedback of the criterion is `hone.annotation.<name>`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly control: Control;
}

type Loose = Readonly<Record<string, unknown>>;

/** Longer scales are typed, for a digit names no point of theirs. */
const MAX_SCALE_POINTS = 11;

/** @param val value of the spec; null: it is gone, or none that one may read */
export function toCriterion(ref: string, val: unknown): Criterion {
  const spec = isJsonObject(val) ? val : {};
  const name = parseRef(ref)?.name ?? ref;
  return {
    ref,
    name,
    title: textOf(spec['name']) ?? name,
    description: textOf(spec['description']) ?? '',
    control: toControl(spec['field_schema']),
  };
}

/** The control for values of a JSON Schema; what no control is made for is typed as JSON. */
export function toControl(schema: unknown): Control {
  if (!isJsonObject(schema)) return { kind: 'json' };
  const { type, enum: values } = schema;
  if (Array.isArray(values) && values.length > 0) return { kind: 'choice', options: values.map(toOption) };
  if (type === 'boolean')
    return {
      kind: 'choice',
      options: [
        { label: 'yes', value: true },
        { label: 'no', value: false },
      ],
    };
  if (type === 'integer' || type === 'number') return toNumberControl(schema, type === 'integer');
  if (type === 'string') return { kind: 'text' };
  return { kind: 'json' };
}

function toNumberControl(schema: Loose, isInteger: boolean): Control {
  const [min, max] = [numberOf(schema['minimum']), numberOf(schema['maximum'])];
  if (isInteger && min !== undefined && max !== undefined && max >= min && max - min < MAX_SCALE_POINTS) {
    const points = Array.from({ length: max - min + 1 }, (_, index) => min + index);
    return { kind: 'choice', options: points.map(toOption) };
  }
  return { kind: 'number', min, max, isInteger };
}

const toOption = (value: unknown): Option => ({
  label: typeof value === 'string' ? value : JSON.stringify(value),
  value: value instanceof JsonNumber ? Number(value.text) : value,
});

/**
 * The answer that a digit gives: on a scale of numbers the point of that number, else the option of that position, the
 * first being 1. @returns undefined: none
 */
export function answerOfDigit(control: Control, digit: number): unknown {
  if (control.kind === 'number')
    return digit >= (control.min ?? -Infinity) && digit <= (control.max ?? Infinity) ? digit : undefined;
  if (control.kind !== 'choice') return undefined;
  const isScale = control.options.every(({ value }) => typeof value === 'number');
  const option = isScale ? control.options.find(({ value }) => value === digit) : control.options[digit - 1];
  return option?.value;
}

/** The answer beside another one; without one the first, or the last. @param by 1 or -1 */
export function nextAnswer(control: Control, answer: unknown, by: number): unknown {
  if (control.kind !== 'choice') return answer;
  const { options } = control;
  const at = options.findIndex(({ value }) => value === answer);
  if (at < 0) return options.at(by > 0 ? 0 : -1)?.value;
  return options[Math.min(options.length - 1, Math.max(0, at + by))]?.value;
}

/** How values of the criterion compare when agreement is measured. */
export function levelOf({ kind, ...control }: Control): 'nominal' | 'ordinal' | 'interval' {
  if (kind === 'number') return 'interval';
  const { options = [] } = control as { readonly options?: readonly Option[] };
  return options.length > 2 && options.every(({ value }) => typeof value === 'number') ? 'ordinal' : 'nominal';
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
