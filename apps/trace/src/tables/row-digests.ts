import { createHash } from 'node:crypto';

import { CHUNK_ROWS } from './row-list.js';

/** The rows of a table by their digests, as they are stored. */
export interface RowDigests {
  /** Hex SHA-256 of the joined row digests. */
  readonly digest: string;
  readonly count: number;
  /** Texts of JSON lists, each of {@link CHUNK_ROWS} digests, but for a shorter last one. */
  readonly chunks: readonly string[];
}

/** Makes {@link RowDigests} of chunks as they come. */
export class RowDigestsWriter {
  private readonly hash = createHash('sha256');
  private readonly chunks: string[] = [];
  private count = 0;

  add(chunk: readonly string[]): void {
    this.hash.update(chunk.join(''));
    this.chunks.push(JSON.stringify(chunk));
    this.count += chunk.length;
  }

  end(): RowDigests {
    return { digest: this.hash.digest('hex'), count: this.count, chunks: this.chunks };
  }
}

export function toRowDigests(digests: readonly string[]): RowDigests {
  const writer = new RowDigestsWriter();
  for (let at = 0; at < digests.length; at += CHUNK_ROWS) writer.add(digests.slice(at, at + CHUNK_ROWS));
  return writer.end();
}

/** All digests as the text of one JSON list. */
export const listTextOf = ({ chunks }: RowDigests): string =>
  `[${chunks.map((chunk) => chunk.slice(1, -1)).join(',')}]`;
