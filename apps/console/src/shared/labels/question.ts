import type { ScorerDefinitionDto } from '@hone/client';

/** Of which a new question is made, where people were asked nothing of the kind yet. */
export interface NewQuestion {
  /** Id of its object: feedback is `hone.annotation.<id>`. */
  readonly id: string;
  /** What annotators read. */
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the answers. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a criterion's numbers are between; a tag, and what a check passes, is 0 or 1. null: nothing bounds it. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  /** Whether people answer with a number, not with yes or no. */
  readonly isRating: boolean;
}

const SHARE: Scale = { min: 0, max: 1, isRating: false };

export function scaleOf({ check, llm, http }: ScorerDefinitionDto, criterion: string): Scale | null {
  const rating = [...(llm?.ratings ?? []), ...(http?.ratings ?? [])].find(({ name }) => name === criterion);
  if (rating)
    return typeof rating.min === 'number' && typeof rating.max === 'number'
      ? { min: rating.min, max: rating.max, isRating: true }
      : null;
  return check && criterion === 'value' ? null : SHARE;
}

/** Asks people the same as the scorer is asked. */
export function toQuestion(definition: ScorerDefinitionDto, scorerName: string, criterion: string): NewQuestion {
  const scale = scaleOf(definition, criterion);
  const criteria = [...(definition.llm?.ratings ?? []), ...(definition.llm?.tags ?? [])];
  const description = criteria.find(({ name }) => name === criterion)?.description ?? '';
  return {
    id: `${scorerName}-${criterion}`.replace(/[^\p{L}\p{N}_.-]+/gu, '_').slice(0, 128),
    title: `${scorerName}: ${criterion}`,
    description,
    schema:
      scale === null
        ? { type: 'number' }
        : scale.isRating
          ? { type: definition.llm ? 'integer' : 'number', minimum: scale.min, maximum: scale.max }
          : { type: 'boolean' },
  };
}

/** A twentieth of the scale, which is ±5 points of a share. */
export const usualWidth = (scale: Scale | null): number =>
  scale === null ? 1 : Number(((scale.max - scale.min) / 20).toPrecision(2));
