/** Which choices of an answer have ended. Each must do so exactly once before the answer is whole. */
export class ChoiceEnds {
  private readonly ended = new Map<number, string>();

  /** @param choices how many the request asks for */
  constructor(private readonly choices: number) {}

  get areAll(): boolean {
    return this.ended.size === this.choices;
  }

  /** Why each ended, in the order of the choices. */
  get reasons(): string[] {
    return [...this.ended].sort(([left], [right]) => left - right).map(([, reason]) => reason);
  }

  has(index: number): boolean {
    return this.ended.has(index);
  }

  isOf(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.choices;
  }

  /** @returns false when that choice has ended before */
  end(index: number, reason: string): boolean {
    if (this.ended.has(index)) return false;
    this.ended.set(index, reason);
    return true;
  }
}
