const GUARDS: Readonly<Record<string, string>> = {
  length: 'length of the answers',
  cost_usd: 'cost',
  tokens: 'tokens',
  latency_ms: 'latency',
  slow: 'slow answers',
  failed: 'failed answers',
  refusals: 'refusals',
  praise: 'praise of who asks',
  bullets: 'answers that are lists',
  copies: 'words copied from the question',
};
/** Margins of these are shares of the baseline's mean. */
const RATIOS: readonly string[] = ['length', 'cost_usd', 'tokens', 'latency_ms'];

/** Whether its margin is a share of the baseline's mean. */
export const isRatio = (name: string): boolean => RATIOS.includes(name);

/** What a guard looks at. @param name as the interface has it */
export const nameOfGuard = (name: string): string => (Object.hasOwn(GUARDS, name) ? (GUARDS[name] ?? name) : name);

/** `12.5 %`, with its sign where it is a change. */
export const formatPercent = (share: number): string => {
  const text = `${(100 * Math.abs(share)).toFixed(1).replace(/\.0$/, '')} %`;
  return share < 0 && text !== '0 %' ? `−${text}` : text;
};

/** Guards that a gate has unless they are left out -> largest loss that is accepted. */
export const DEFAULT_GUARDS: Readonly<Record<string, number>> = {
  ...{ length: 0.25, slow: 0.1, failed: 0.05, refusals: 0.05 },
  ...{ praise: 0.1, bullets: 0.1, copies: 0.1 },
};
