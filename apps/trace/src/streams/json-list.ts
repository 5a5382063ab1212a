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

export interface JsonListOptions<Row> {
  query: Prisma.Sql;
  /** Most rows that the query gives; undefined: any number. */
  limit: number | undefined;
  /** JSON text before the rows, which are joined by commas. */
  head: string;
  /** JSON text after the rows. @param rows how many there were */
  tail: (rows: number) => string;
  toText: (row: Row) => string | Promise<string>;
}

/**
 * A JSON answer around a list of rows. However long the list, memory stays small: rows leave as fast as the client
 * reads them. An error before the first row is thrown; one after it breaks the connection, so that a cut answer
 * never looks whole.
 */
export async function jsonList<Row>(database: Database, options: JsonListOptions<Row>): Promise<RawJson | Readable> {
  const { query, limit, head, tail, toText } = options;
  if (limit !== undefined && limit <= DIRECT_ROWS) {
    const texts: string[] = [];
    const turn = new Turn();
    for (const row of await database.client.$queryRaw<Row[]>(query)) {
      texts.push(await toText(row));
      await turn.endWhenLong();
    }
    return new RawJson(`${head}${texts.join(',')}${tail(texts.length)}`);
  }
  const out = new PassThrough();
  let hasStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => (hasStarted = resolve));
  let separator = head;
  let count = 0;
  const turn = new Turn();
  const finished = database
    .stream<Row>(query, BATCH_ROWS, async (rows) => {
      hasStarted();
      count += rows.length;
      let text = '';
      for (const row of rows) {
        text += separator + (await toText(row));
        separator = ',';
        if (text.length > MAX_CHUNK_CHARACTERS) {
          await write(out, text);
          text = '';
        }
        await turn.endWhenLong();
      }
      await write(out, text);
    })
    .then(() => out.end((separator === head ? head : '') + tail(count)));
  await Promise.race([started, finished]);
  finished.catch((error: Error) => out.destroy(error));
  return out;
}

/** A turn of the event loop, which rows with large values would else fill together. */
class Turn {
  #beganMs = performance.now();

  /** Lets the loop go on once the turn has taken long. */
  async endWhenLong(): Promise<void> {
    if (performance.now() - this.#beganMs < MAX_TURN_MS) return;
    await new Promise(setImmediate);
    this.#beganMs = performance.now();
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
