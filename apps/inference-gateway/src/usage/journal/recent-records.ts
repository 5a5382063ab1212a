import type { SegmentRecords } from './segment.js';

/** The records that were appended to a segment last: as long as it is written, they need not be read from its file. */
export class RecentRecords {
  private jsons: string[] = [];
  /** Of each, its end in the segment. */
  private ends: number[] = [];
  /** Where the first one begins. */
  private startBytes = 0;

  /** @param ends of each, counted from `startBytes` of the segment */
  add(jsons: readonly string[], ends: readonly number[], startBytes: number): void {
    if (this.jsons.length === 0) this.startBytes = startBytes;
    for (let at = 0; at < jsons.length; at++) {
      this.jsons.push(jsons[at] as string);
      this.ends.push(startBytes + (ends[at] as number));
    }
  }

  /** Those from `fromBytes` of the segment on; null: they are in its file only. What is before is forgotten. */
  read(fromBytes: number, max: number): SegmentRecords | null {
    this.forget(fromBytes);
    if (this.jsons.length === 0 || this.startBytes !== fromBytes) return null;
    const payloads = this.jsons.slice(0, max);
    return { payloads, endBytes: this.ends[payloads.length - 1] as number, skippedBytes: 0 };
  }

  clear(): void {
    this.jsons = [];
    this.ends = [];
  }

  private forget(beforeBytes: number): void {
    let count = 0;
    while (count < this.ends.length && (this.ends[count] as number) <= beforeBytes) count++;
    if (count === 0) return;
    this.startBytes = this.ends[count - 1] as number;
    this.jsons.splice(0, count);
    this.ends.splice(0, count);
  }
}
