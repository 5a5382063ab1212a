/** A version's part of the requests with a label. */
export interface Share {
  readonly digest: string;
  /** `12.5 %`. */
  readonly percent: string;
}

/** The parts that weights make, the largest first. @param weights content digest -> share, relative to the sum */
export function sharesOf(weights: Readonly<Record<string, number>>): readonly Share[] {
  const sum = Object.values(weights).reduce((total, weight) => total + weight, 0);
  return Object.entries(weights)
    .sort(([, a], [, b]) => b - a)
    .map(([digest, weight]) => ({ digest, percent: percentOf(weight, sum) }));
}

/** `12.5 %`; of nothing: `0 %`. */
export const percentOf = (weight: number, sum: number): string =>
  `${sum > 0 ? Number(((100 * weight) / sum).toFixed(1)) : 0} %`;

/**
 * The split that was filled in.
 *
 * @param named version that everything but prompts gets: it keeps the name where it has a share, else the largest gets it
 * @returns null: no version has a share, or a text is no weight
 */
export function toSplit(
  named: string,
  texts: Readonly<Record<string, string>>,
): { readonly digest: string; readonly weights: Readonly<Record<string, number>> | null } | null {
  const weights: Record<string, number> = {};
  for (const [digest, text] of Object.entries(texts)) {
    const weight = Number(text.trim() || 0);
    if (!(weight >= 0 && weight <= 1_000_000)) return null;
    if (weight > 0) weights[digest] = weight;
  }
  const [largest, ...others] = sharesOf(weights);
  if (!largest) return null;
  const digest = Object.hasOwn(weights, named) ? named : largest.digest;
  return { digest, weights: others.length === 0 ? null : weights };
}
