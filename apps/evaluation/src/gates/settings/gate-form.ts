import { type GateSettingsDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';

import { sliceNamesOf } from '../../comparisons/compared-names.js';
import { DEFAULT_GUARDS, GUARD_NAMES } from './gate-rules-of.js';

const MAX_GUARDS = 20;
const SCORE = 'scores.';

/**
 * What types and ranges alone do not say of the settings of a gate.
 *
 * @param loc where they stand
 * @throws ValidationError
 */
export function assertGateForm(body: GateSettingsDto, loc: readonly string[]): void {
  const refused: Refused = (message, ...path) => new ValidationError([valueIssue(message, [...loc, ...path])]);
  if (!isScore(body.metric)) throw refused(`Should be a score, as '${SCORE}helpful.value'`, 'metric');
  if (body.reward && !isScore(body.reward.metric)) throw refused('Should be a score', 'reward', 'metric');
  const [min, max] = body.scale ?? [0, 1];
  if ((min as number) >= (max as number)) throw refused('The least score should be below the largest', 'scale');
  if (body.fact && body.truth) throw refused("A fact needs no labels: leave out this, or 'fact'", 'truth');
  assertGuards(body, refused);
}

type Refused = (message: string, ...path: (string | number)[]) => ValidationError;

function assertGuards(body: GateSettingsDto, refused: Refused): void {
  const names = Object.keys(body.guards ?? {});
  const unknown = names.find((name) => !GUARD_NAMES.includes(name) && !isScore(name));
  if (unknown !== undefined) throw refused(`Should be a score, or one of ${GUARD_NAMES.join(', ')}`, 'guards', unknown);
  if (names.length > MAX_GUARDS) throw refused(`At most ${MAX_GUARDS}`, 'guards');
  const left = body.without_guards ?? [];
  const known = Object.keys(DEFAULT_GUARDS);
  const none = left.findIndex((name) => !known.includes(name));
  if (none >= 0) throw refused(`Should be one of ${known.join(', ')}`, 'without_guards', none);
  // What a look finds is known by the guard's name.
  const taken = sliceNamesOf(body).findIndex(
    (name) => GUARD_NAMES.includes(name) || /^(?:reward )?scores\./.test(name),
  );
  if (taken >= 0) throw refused('Should not be the name of a guard', 'slices', taken, 'name');
}

const isScore = (name: string): boolean => name.startsWith(SCORE) && name.length > SCORE.length;
