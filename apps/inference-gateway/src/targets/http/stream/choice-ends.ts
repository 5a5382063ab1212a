/** Tracks which choices of an answer have begun and ended: a complete answer ends each exactly once. */
export class ChoiceEnds {
  /** Finish reason by choice; null: it has begun. */
  private readonly reasonOf: (string | null | undefined)[] = [];
  private begun = 0;
  private ended = 0;

  /** @param choices `n` of the request */
  constructor(private readonly choices: number) {}

  get areAll(): boolean {
    return this.ended === this.choices;
  }

  /** Every choice that has begun has ended, and others never began: the upstream did not honour `n`. */
  get areFew(): boolean {
    return this.ended > 0 && this.ended === this.begun && this.ended < this.choices;
  }

  /** Finish reasons, in order of the choices. */
  get reasons(): string[] {
    return this.reasonOf.filter((reason) => typeof reason === 'string');
  }

  has(index: number): boolean {
    return typeof this.reasonOf[index] === 'string';
  }

  /** `finish_reason` of a choice; null: it has not ended. */
  endOf(index: number): string | null {
    return this.reasonOf[index] ?? null;
  }

  isOf(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.choices;
  }

  /** @param index a choice that {@link isOf} the answer */
  begin(index: number): void {
    if (this.reasonOf[index] !== undefined) return;
    this.reasonOf[index] = null;
    this.begun++;
  }

  /** @returns false when the choice has ended before, or does not exist */
  end(index: number, reason: string): boolean {
    if (!this.isOf(index) || this.has(index)) return false;
    this.begin(index);
    this.reasonOf[index] = reason;
    this.ended++;
    return true;
  }
}
