/** Tracks which choices of an answer have ended: a complete answer ends each exactly once. */
export class ChoiceEnds {
  /** Finish reason by choice. */
  private readonly ended: (string | undefined)[] = [];
  private count = 0;

  /** @param choices `n` of the request */
  constructor(private readonly choices: number) {}

  get areAll(): boolean {
    return this.count === this.choices;
  }

  /** Finish reasons, in order of the choices. */
  get reasons(): string[] {
    return this.ended.filter((reason) => reason !== undefined);
  }

  has(index: number): boolean {
    return this.ended[index] !== undefined;
  }

  isOf(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.choices;
  }

  /** @returns false when the choice has ended before, or does not exist */
  end(index: number, reason: string): boolean {
    if (!this.isOf(index) || this.has(index)) return false;
    this.ended[index] = reason;
    this.count++;
    return true;
  }
}
