import {
  type Finding,
  LogprobInvalidError,
  LogprobLengthMismatchError,
  type PlanError,
  type PlanLoc,
  TemplateNotPrefixError,
  TemplateRefusedError,
  TokenIdsMissingError,
  TokenOutOfVocabError,
} from './plan.errors.js';

const ERRORS = {
  'data.logprob_length_mismatch': LogprobLengthMismatchError,
  'data.token_out_of_vocab': TokenOutOfVocabError,
  'data.logprob_invalid': LogprobInvalidError,
  'data.token_ids_missing': TokenIdsMissingError,
  'data.template_not_prefix': TemplateNotPrefixError,
  'data.template_refused': TemplateRefusedError,
} satisfies Record<string, new (findings: readonly Finding[]) => PlanError>;

type FindingCode = keyof typeof ERRORS;

/**
 * Damaged data fails the job whatever the trajectory's advantage. The other codes fail it only for a trajectory that
 * would be trained: one with advantage 0 does not count.
 */
const ALWAYS_FATAL: readonly FindingCode[] = [
  'data.logprob_length_mismatch',
  'data.token_out_of_vocab',
  'data.logprob_invalid',
];

/** Collects what is wrong with token data, so that a job reports many paths at once instead of one per attempt. */
export class Findings {
  private readonly found: (Finding & { code: FindingCode })[] = [];

  add(code: FindingCode, loc: PlanLoc, detail: string): void {
    this.found.push({ code, loc, detail });
  }

  /** Adds the findings of a trajectory. Without an advantage, only those are added that fail a job in any case. */
  merge(other: Findings, hasAdvantage: boolean): void {
    this.found.push(...other.found.filter(({ code }) => hasAdvantage || ALWAYS_FATAL.includes(code)));
  }

  /** @throws PlanError of the kind found first, with all paths of that kind */
  throwIfAny(): void {
    const [first] = this.found;
    if (first) throw new ERRORS[first.code](this.found.filter(({ code }) => code === first.code));
  }
}
