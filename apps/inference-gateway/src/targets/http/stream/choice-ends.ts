/** Which choices of an answer have ended. Each must do so exactly once before the answer is whole. */
export class ChoiceEnds {
  /** By choice. */
  private readonly ended: (string | undefined)[] = [];
  private count = 0;

  /** @param choices how many the request asks for */
  constructor(private readonly choices: number) {}

  get areAll(): boolean {
    return this.count === this.choices;
  }

  /** Why each ended, in the order of the choices. */
  get reasons(): string[] {
    return this.ended.filter((reason) => reason !== undefined);
  }

  has(index: number): boolean {
    return this.ended[index] !== undefined;
  }

  isOf(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.choices;
  }

  /** @returns false when that choice has ended before, or there is none */
  end(index: number, reason: string): boolean {
    if (!this.isOf(index) || this.has(index)) return false;
    this.ended[index] = reason;
    this.count++;
    return true;
  }
}
