import { createHmac, timingSafeEqual } from 'node:crypto';

import { contentDigest, type Issue, parseJson, rangeIssue, stringifyJson, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { Injectable } from '@nestjs/common';

import { CursorKeyRepository } from './cursor-key.repository.js';
import type { KeysetValues } from './keyset.sql.js';

const DEFAULT_LIMIT = 1_000;
const MAC_BYTES = 16;

/** What bodies say of the page that they want. */
export interface PageBody {
  /** Empty: the first page. Absent or null: the list is not read by cursors. */
  cursor?: string | null;
  limit?: number | null;
  offset?: number | null;
}

/** A page of a list. */
export interface CursorPage {
  /** Sort keys of the last row of the page before; undefined: this is the first. */
  after: KeysetValues | undefined;
  /** Most rows of the page, 1 or more. */
  limit: number;
  /** The cursor of the page after this one. @param last sort keys of the last row of this page */
  next(last: KeysetValues): string;
}

/** The end of an answer that has pages. @param rows how many were read, one more than the page has when there are more */
export const nextCursor = (page: CursorPage | undefined, rows: number, last: KeysetValues): string =>
  page ? `,"next_cursor":${rows > page.limit ? JSON.stringify(page.next(last)) : 'null'}` : '';

/** The end of an answer without rows. */
export const noNextCursor = (page: CursorPage | undefined): string => (page ? ',"next_cursor":null' : '');

/**
 * Cursors: the sort keys of the last row of a page, and a hash of the query, signed. A client can neither read on with
 * another query nor make a cursor itself; every process takes those of the others.
 */
@Injectable()
export class Cursors {
  private key: Promise<Buffer> | undefined;

  constructor(private readonly keys: CursorKeyRepository) {}

  /**
   * The page that a body wants; undefined when it has no cursor.
   *
   * @param asLines the client asks for lines, which have nowhere to say a next cursor
   * @param query all that tells which rows there are, and in which order
   * @throws ValidationError a cursor that is none, or that of another query; an offset or a limit of 0 beside a cursor
   */
  async open(
    { cursor, limit, offset }: PageBody,
    endpoint: string,
    query: object,
    asLines = false,
  ): Promise<CursorPage | undefined> {
    if (cursor === undefined || cursor === null) return undefined;
    const issues: Issue[] = [];
    if (asLines) issues.push(valueIssue('Lines have no cursor: they are read to their end', ['body', 'cursor']));
    if (limit === 0) issues.push({ ...rangeIssue('greater', 1), loc: ['body', 'limit'] });
    if (offset !== undefined && offset !== null)
      issues.push(valueIssue('A cursor and an offset exclude each other', ['body', 'offset']));
    const key = await this.getKey();
    // As plain JSON: an absent field is none, whatever class the query is of.
    const hash = contentDigest(parseJson(stringifyJson({ endpoint, ...query })));
    const after = cursor === '' ? undefined : read(key, hash, cursor);
    if (after === null && !asLines)
      issues.push(valueIssue('Input should be a cursor of this query', ['body', 'cursor']));
    if (issues.length) throw new ValidationError(issues);
    return {
      after: after ?? undefined,
      limit: limit ?? DEFAULT_LIMIT,
      next: (last) => write(key, hash, last),
    };
  }

  /** One read for all that come at once; a failed one is tried again by the next. */
  private getKey(): Promise<Buffer> {
    this.key ??= this.keys.get().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }
}

const macOf = (key: Buffer, hash: string, content: string): Buffer =>
  createHmac('sha256', key).update(hash).update('\n').update(content).digest().subarray(0, MAC_BYTES);

function write(key: Buffer, hash: string, values: KeysetValues): string {
  const content = Buffer.from(JSON.stringify(values)).toString('base64url');
  return `${content}.${macOf(key, hash, content).toString('base64url')}`;
}

/** The hash of the query is no part of the token: with another one the signature is wrong. @returns null: not valid */
function read(key: Buffer, hash: string, token: string): KeysetValues | null {
  const [content = '', mac = '', ...rest] = token.split('.');
  const given = Buffer.from(mac, 'base64url');
  const isSigned = rest.length === 0 && given.length === MAC_BYTES && timingSafeEqual(given, macOf(key, hash, content));
  // Another spelling of the same bytes is as wrong as other bytes.
  if (!isSigned || given.toString('base64url') !== mac) return null;
  return JSON.parse(Buffer.from(content, 'base64url').toString()) as KeysetValues;
}
