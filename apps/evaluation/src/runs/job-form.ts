import { type EvaluationJobCreateDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

const isGiven = (value: unknown): boolean => (value ?? null) !== null;

/** @param loc below the body */
export const refused = (sentence: string, ...loc: (string | number)[]): ValidationError =>
  new ValidationError([valueIssue(sentence, ['body', ...loc])]);

/**
 * What fields ask of each other.
 *
 * @throws ValidationError it names neither an evaluation nor what one consists of, or both; or no candidate, or one of nothing
 */
export function assertForm({ evaluation, dataset, scorers, candidates }: EvaluationJobCreateDto): void {
  const isStored = isGiven(evaluation);
  for (const [name, value] of Object.entries({ dataset, scorers })) {
    if (isStored && isGiven(value)) throw refused('Should be absent beside evaluation', name);
    if (!isStored && !isGiven(value)) throw refused('Should be given where evaluation is not', name);
  }
  if (candidates.length === 0) throw refused('A candidate is needed', 'candidates');
  const nothing = candidates.findIndex(({ model, prompt }) => !isGiven(model) && !isGiven(prompt));
  if (nothing >= 0) throw refused('A model or a prompt is needed', 'candidates', nothing, 'model');
}
