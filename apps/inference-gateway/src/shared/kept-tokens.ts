/** Tokens of an answer of trained weights, with the probabilities that these gave them: data to train on. */
export interface KeptTokens {
  readonly promptIds: readonly number[];
  /** In their order. */
  readonly choices: readonly KeptChoice[];
}

export interface KeptChoice {
  readonly ids: readonly number[];
  /** Natural logarithms, one per id, of the model itself: whatever the sampling settings. */
  readonly logprobs: readonly number[];
}

/** Collects the tokens of an answer as its parts come. */
export class TokenCollector {
  private readonly choices: { readonly ids: number[]; readonly logprobs: number[] }[];

  /**
   * @param choices how many the answer has
   * @param promptIds null: not known yet
   */
  constructor(
    choices: number,
    public promptIds: readonly number[] | null = null,
  ) {
    this.choices = Array.from({ length: choices }, () => ({ ids: [], logprobs: [] }));
  }

  addIds(choice: number, ids: readonly number[]): void {
    for (const id of ids) this.choices[choice]?.ids.push(id);
  }

  addLogprobs(choice: number, logprobs: readonly number[]): void {
    for (const logprob of logprobs) this.choices[choice]?.logprobs.push(logprob);
  }

  /** All of them; null where ids or probabilities are missing, because half of them are of no use. */
  get kept(): KeptTokens | null {
    const { promptIds, choices } = this;
    const isWhole = choices.every(({ ids, logprobs }) => ids.length > 0 && ids.length === logprobs.length);
    return promptIds !== null && promptIds.length > 0 && isWhole ? { promptIds, choices } : null;
  }
}
