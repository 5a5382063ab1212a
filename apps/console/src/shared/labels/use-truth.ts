import type { JudgeTruthDto } from '@hone/client';

import { useSpecs } from '../annotation/use-specs.js';
import { useSearchValues } from '../data/search-state.js';
import { type LabelSource, labelSources, readMap } from './truth.js';

/** Which labels of people correct a judge, as the address of the page keeps it. */
export interface TruthChoice {
  readonly sources: readonly LabelSource[];
  /** undefined: none is chosen. */
  readonly source: LabelSource | undefined;
  /** What answers that are texts count as. */
  readonly map: Readonly<Record<string, number>>;
  /** null: none is chosen. */
  readonly truth: JudgeTruthDto | null;
  /** false: the sources are being read, or nobody has said yet what texts count as. */
  readonly isReady: boolean;
  readonly choose: (type: string) => void;
  readonly setMap: (map: Readonly<Record<string, number>>) => void;
  /** Another text of the address, which changes together with these. */
  readonly set: (name: string, value: string) => void;
}

export function useTruth(): TruthChoice {
  const [value, set] = useSearchValues();
  const specs = useSpecs();
  const sources = labelSources(specs.data ?? []);
  const source = sources.find(({ type }) => type === value('labels'));
  const map = readMap(value('map'));
  const asksMap = source !== undefined && source.answers.length > 0;
  return {
    ...{ sources, source, map: map ?? {}, set },
    truth: source ? { ...source.truth, ...(asksMap && { map }) } : null,
    isReady: specs.data !== undefined && (!asksMap || map !== null),
    choose: (type) => set('labels', type),
    setMap: (to) => set('map', JSON.stringify(to)),
  };
}
