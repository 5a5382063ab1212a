/** Which choices of an answer have ended. Each must do so exactly once before the answer is whole. */
export class ChoiceEnds {
  private readonly ended = new Set<number>();

  /** @param choices how many the request asks for */
  constructor(private readonly choices: number) {}

  get areAll(): boolean {
    return this.ended.size === this.choices;
  }

  has(index: number): boolean {
    return this.ended.has(index);
  }

  isOf(index: number): boolean {
    return Number.isInteger(index) && index >= 0 && index < this.choices;
  }

  /** @returns false when that choice has ended before */
  end(index: number): boolean {
    if (this.ended.has(index)) return false;
    this.ended.add(index);
    return true;
  }
}
