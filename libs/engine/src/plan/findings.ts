import {
  LogprobInvalidError,
  LogprobLengthMismatchError,
  TemplateNotPrefixError,
  TemplateRefusedError,
  TokenIdsMissingError,
  TokenOutOfVocabError,
  type Finding,
  type PlanError,
  type PlanLoc,
} from './plan.errors.js';

const ERRORS = {
  'data.logprob_length_mismatch': LogprobLengthMismatchError,
  'data.token_out_of_vocab': TokenOutOfVocabError,
  'data.logprob_invalid': LogprobInvalidError,
  'data.token_ids_missing': TokenIdsMissingError,
  'data.template_not_prefix': TemplateNotPrefixError,
  'data.template_refused': TemplateRefusedError,
} satisfies Record<string, new (findings: readonly Finding[]) => PlanError>;

export type FindingCode = keyof typeof ERRORS;

/**
 * Damage, whatever becomes of its trajectory. Of the others one may say: nobody would have trained on it anyway, so a
 * trajectory with advantage 0 does not fail for them.
 */
const ALWAYS_FATAL: readonly FindingCode[] = [
  'data.logprob_length_mismatch',
  'data.token_out_of_vocab',
  'data.logprob_invalid',
];

/** Collects what is wrong with token data, so that a job names many places at once instead of one at each try. */
export class Findings {
  readonly #found: (Finding & { code: FindingCode })[] = [];

  add(code: FindingCode, loc: PlanLoc, detail: string): void {
    this.#found.push({ code, loc, detail });
  }

  /** Takes over those of a trajectory; without advantage only what fails a job in any case. */
  merge(other: Findings, hasAdvantage: boolean): void {
    this.#found.push(...other.#found.filter(({ code }) => hasAdvantage || ALWAYS_FATAL.includes(code)));
  }

  /** @throws PlanError of the kind found first, with all places of that kind */
  throwIfAny(): void {
    const [first] = this.#found;
    if (first) throw new ERRORS[first.code](this.#found.filter(({ code }) => code === first.code));
  }
}
