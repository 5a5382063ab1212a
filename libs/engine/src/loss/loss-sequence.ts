/** The trained tokens of one sequence, as a loss sees them. All arrays are equally long. */
export interface LossSequence {
  /** Log-probability now. */
  readonly lp: ArrayLike<number>;
  /** Log-probability under the policy that produced the token; NaN: unknown, taken as today's. */
  readonly old: ArrayLike<number>;
  readonly advantage: ArrayLike<number>;
  /** The token's share in the row's loss: its trajectory's weight over the row's number of trained tokens. */
  readonly weight: ArrayLike<number>;
  /** e^(old - logged) where `old` was taken anew under the parent; NaN: no such value. */
  readonly drift: ArrayLike<number>;
}

/** A loss and its gradient by the log-probabilities of the trained tokens. */
export interface TokenLoss {
  readonly loss: number;
  /** `-d loss / d lp`, per trained token: the loss falls fastest along the sum of coefficient * gradient of lp. */
  readonly coefficients: Float64Array;
}
