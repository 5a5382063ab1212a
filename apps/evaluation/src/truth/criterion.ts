import { PAIRWISE_FLIPPED, PAIRWISE_WIN, type ScorerDefinitionDto } from '@hone/contracts';

import { scaleOf } from '../kinds/http/server-answer.js';

/** One thing that a scorer finds about each call. */
export interface Criterion {
  readonly name: string;
  /** A tag is found or not: 1 or 0. Everything else is a rating. */
  readonly isTag: boolean;
  /** Least and largest number, both included. Null: any number. */
  readonly scale: readonly [min: number, max: number] | null;
  /** Of scorers that say nothing of what they find: a number or a flag of their output. */
  readonly isOpen?: true;
}

/** What a scorer without a definition finds. @param name path within its output; `output`: all of it */
export const openCriterion = (name: string): Criterion => ({ name, isTag: false, scale: null, isOpen: true });

/** Where feedback has what was found about a criterion, within the payload. */
export function pathOf({ name, isOpen }: Criterion): string[] {
  if (!isOpen) return ['output', name];
  return name === 'output' ? ['output'] : ['output', ...name.split('.')];
}

const UNIT = [0, 1] as const;
/** What checks find. */
const OF_CHECKS: readonly Criterion[] = [
  { name: 'passed', isTag: false, scale: UNIT },
  { name: 'value', isTag: false, scale: null },
];

/** What comparisons of two answers find. */
const OF_PAIRS: readonly Criterion[] = [
  { name: PAIRWISE_WIN, isTag: false, scale: UNIT },
  { name: PAIRWISE_FLIPPED, isTag: true, scale: UNIT },
];

/** All that a scorer finds, in the order of its definition. */
export function criteriaOf({ kind, llm, http }: ScorerDefinitionDto): readonly Criterion[] {
  if (kind === 'check') return OF_CHECKS;
  if (kind === 'pairwise') return OF_PAIRS;
  if (http)
    return [
      ...(http.ratings ?? []).map(({ name, min, max }) => ({ name, isTag: false, scale: scaleOf(min, max) })),
      ...(http.tags ?? []).map((name) => ({ name, isTag: true, scale: UNIT })),
    ];
  return [
    ...(llm?.ratings ?? []).map(({ name, min, max }) => ({ name, isTag: false, scale: [min, max] as const })),
    ...(llm?.tags ?? []).map(({ name }) => ({ name, isTag: true, scale: UNIT })),
  ];
}

/** Numbers beyond these have squares that no double holds, or are no judgement. */
const MAX_NUMBER = 1e12;

/** Bounds of what counts, both included. */
export const boundsOf = ({ scale }: Criterion): readonly [min: number, max: number] =>
  scale ?? [-MAX_NUMBER, MAX_NUMBER];

/** Whether the criterion may be one of pass or fail, as far as its scale says it. */
export const isUnit = ({ scale, isOpen }: Criterion): boolean => isOpen ?? (scale?.[0] === 0 && scale[1] === 1);
