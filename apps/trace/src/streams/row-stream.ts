import { PassThrough, type Readable } from 'node:stream';

import { RawJson } from '@hone/contracts';
import type { Database, Prisma } from '@hone/database';

/** Answers up to this many rows are made in memory; larger ones go through a cursor. */
const DIRECT_ROWS = 200;
const BATCH_ROWS = 200;
/** Rows are joined into writes of about this size. */
const MAX_CHUNK_CHARACTERS = 65_536;
/** Other requests wait no longer than this, and one row, for those whose rows are written. */
const MAX_TURN_MS = 20;

export type RowText = string | null;

/** Which rows an answer has, and how each of them reads. */
export interface RowSource<Row> {
  query: Prisma.Sql;
  /** Most rows that the query gives; undefined: any number. */
  limit: number | undefined;
  /** Null: the row is left out, though it is counted. A promise only where the row needs one: it costs more than a text. */
  toText: (row: Row) => RowText | Promise<RowText>;
  /** Rows after this many are counted, not written: they tell only that there are more. Undefined: all are written. */
  writtenRows?: number | undefined;
  /** Rows that are fetched together; undefined: 200, which may hold large values. */
  batchRows?: number | undefined;
  /** Rows are small: the next ones are fetched while these are written. */
  readsAhead?: boolean;
  /** Looks up what the rows of a batch need together, before {@link toText} gets each of them. */
  prepare?: (rows: Row[]) => Promise<void>;
}

export interface RowStreamOptions<Row> extends RowSource<Row> {
  /** Text before the rows. */
  head: string;
  /** Text between two rows. */
  separator: string;
  /** Text after the rows. @param rows how many there were */
  tail: (rows: number) => string;
}

/**
 * An answer made of rows. However many there are, memory stays small: rows leave as fast as the client reads them. An
 * error before the first row is thrown; one after it breaks the connection, so that a cut answer never looks whole.
 */
export async function rowStream<Row>(database: Database, options: RowStreamOptions<Row>): Promise<RawJson | Readable> {
  const { query, limit, head, separator, tail, toText, prepare, batchRows = BATCH_ROWS } = options;
  const { writtenRows = Infinity, readsAhead = false } = options;
  if (limit !== undefined && limit <= DIRECT_ROWS) {
    const texts: string[] = [];
    const turn = new Turn();
    const rows = await database.client.$queryRaw<Row[]>(query);
    if (rows.length) await prepare?.(rows);
    for (const row of rows.slice(0, writtenRows)) {
      const made = toText(row);
      const text = made instanceof Promise ? await made : made;
      if (text !== null) texts.push(text);
      if (turn.isLong) await turn.end();
    }
    return new RawJson(`${head}${texts.join(separator)}${tail(rows.length)}`);
  }
  const out = new PassThrough();
  let hasStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (hasStarted = resolve));
  let before = head;
  let count = 0;
  const turn = new Turn();
  const finished = database
    .stream<Row>(query, { batchRows, isAhead: readsAhead }, async (rows) => {
      await prepare?.(rows);
      hasStarted();
      const written = rows.slice(0, Math.max(0, writtenRows - count));
      count += rows.length;
      let text = '';
      for (const row of written) {
        const made = toText(row);
        const own = made instanceof Promise ? await made : made;
        if (own !== null) {
          text += before + own;
          before = separator;
        }
        if (text.length > MAX_CHUNK_CHARACTERS) {
          await write(out, text);
          text = '';
        }
        if (turn.isLong) await turn.end();
      }
      await write(out, text);
    })
    .then(() => out.end((count === 0 ? head : '') + tail(count)));
  await Promise.race([started, finished]);
  finished.catch((error: Error) => out.destroy(error));
  return out;
}

/** A turn of the event loop, which rows with large values would else fill together. */
class Turn {
  private beganMs = performance.now();

  /** Whether it is time to {@link end} it. */
  get isLong(): boolean {
    return performance.now() - this.beganMs >= MAX_TURN_MS;
  }

  /** Lets the loop go on. */
  async end(): Promise<void> {
    await new Promise(setImmediate);
    this.beganMs = performance.now();
  }
}

/** Resolves when the stream accepts more (backpressure); rejects when the client has disconnected. */
async function write(out: PassThrough, text: string): Promise<void> {
  if (!out.destroyed && (text === '' || out.write(text))) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      out.off('drain', done).off('close', done);
      resolve();
    };
    if (out.destroyed) resolve();
    else out.on('drain', done).on('close', done);
  });
  if (out.destroyed) throw new Error('the client went away');
}
