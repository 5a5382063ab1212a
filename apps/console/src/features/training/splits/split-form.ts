import type { AliasSplitDto, AliasSplitPutDto } from '@hone/client';

/** An arm as it is filled in. */
export interface ArmText {
  readonly name: string;
  readonly model: string;
  readonly percent: string;
}

/** A split as it is filled in. */
export interface SplitForm {
  readonly arms: readonly ArmText[];
  /** `model` '': there is no shadow. */
  readonly shadow: { readonly model: string; readonly percent: string; readonly budget: string };
}

const PERCENT = 100;
/** Of a millionth, the least weight. */
const DIGITS = 4;

const NO_SHADOW = { model: '', percent: '10', budget: '' };

/** The form of a split; of none: one with a first arm. */
export function toForm(split: AliasSplitDto | null): SplitForm {
  if (split === null) return { arms: [{ name: 'candidate', model: '', percent: '5' }], shadow: NO_SHADOW };
  const { arms, shadow } = split;
  return {
    arms: arms.map(({ name, model, weight }) => ({ name, model, percent: toPercent(weight) })),
    shadow: shadow
      ? { model: shadow.model, percent: toPercent(shadow.share), budget: String(shadow.max_cost_usd_per_day ?? '') }
      : NO_SHADOW,
  };
}

/** What the interface takes. Arms without a model are none. @returns null: something is missing, or no number */
export function toBody({ arms: texts, shadow }: SplitForm, before: AliasSplitDto | null): AliasSplitPutDto | null {
  const arms = texts
    .filter(({ model }) => model !== '')
    .map(({ name, model, percent }) => ({ name: name.trim(), model, weight: toShare(percent) }));
  const share = toShare(shadow.percent);
  const isShadowed = shadow.model !== '';
  const isWrong =
    (arms.length === 0 && !isShadowed) ||
    arms.some(({ name, weight }) => name === '' || Number.isNaN(weight)) ||
    restOf(texts) === null ||
    (isShadowed && !(share > 0));
  if (isWrong) return null;
  const limit = shadow.budget === '' ? null : Number(shadow.budget);
  return {
    arms,
    shadow: isShadowed ? { model: shadow.model, share, max_cost_usd_per_day: limit } : null,
    // What is shown is what one decides on: somebody who was faster is not overwritten.
    if_version: before?.version ?? null,
  };
}

/** What production keeps, such as `95 %`. Null: the arms have more than all. */
export function restOf(arms: readonly ArmText[]): string | null {
  const sum = arms.reduce((total, { percent }) => total + (Number(percent) || 0), 0);
  const rest = Number((PERCENT - sum).toFixed(DIGITS));
  return rest < 0 ? null : `${rest} %`;
}

/** `5` of 0.05. */
export const toPercent = (share: number): string => String(Number((share * PERCENT).toFixed(DIGITS)));

/** 0.05 of `5`; NaN: it is no share. */
function toShare(text: string): number {
  const percent = Number(text.trim() || Number.NaN);
  return percent >= 0 && percent <= PERCENT ? percent / PERCENT : Number.NaN;
}
