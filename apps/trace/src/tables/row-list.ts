/** Rows of a chunk as they are stored; every chunk but a table's last is full. */
export const CHUNK_ROWS = 1_000;

/**
 * The row digests of a table while steps of an update change it. In pieces, so that a step in a table of a million
 * rows moves a thousand of them.
 */
export class RowList {
  private pieces: string[][];
  private rowCount: number;

  constructor(chunks: readonly string[][]) {
    this.pieces = chunks.map((chunk) => [...chunk]);
    this.rowCount = chunks.reduce((sum, { length }) => sum + length, 0);
  }

  get length(): number {
    return this.rowCount;
  }

  /** Inserts before the row at `index`, which may be the length. */
  insert(index: number, digest: string): void {
    const [piece, at, number] = this.find(index);
    piece.splice(at, 0, digest);
    this.rowCount++;
    if (piece.length > 2 * CHUNK_ROWS) this.pieces.splice(number + 1, 0, piece.splice(CHUNK_ROWS));
  }

  /** Takes out the row at `index`, which is less than the length. @returns its digest */
  pop(index: number): string {
    const [piece, at, number] = this.find(index);
    const [digest] = piece.splice(at, 1);
    this.rowCount--;
    if (piece.length === 0) this.pieces.splice(number, 1);
    return digest as string;
  }

  /** All digests in chunks as they are stored. */
  *chunks(): Generator<string[]> {
    let chunk: string[] = [];
    for (const piece of this.pieces) {
      for (let at = 0; at < piece.length;) {
        const taken = piece.slice(at, at + CHUNK_ROWS - chunk.length);
        at += taken.length;
        chunk = chunk.length === 0 ? taken : [...chunk, ...taken];
        if (chunk.length < CHUNK_ROWS) continue;
        yield chunk;
        chunk = [];
      }
    }
    if (chunk.length > 0) yield chunk;
  }

  /** The piece with the position, the position in it, and the number of the piece; the last one takes the end. */
  private find(index: number): [string[], number, number] {
    if (this.pieces.length === 0) this.pieces.push([]);
    let at = index;
    for (const [number, piece] of this.pieces.entries()) {
      if (at < piece.length || number === this.pieces.length - 1) return [piece, at, number];
      at -= piece.length;
    }
    throw new RangeError('no such row');
  }
}
