import type { ChatTurn } from '../chat/chat.js';
import type { Exchange } from '../chat/exchange.js';

/** Members of an array or object that are handed out, and shown, at first. */
export const FIRST_MEMBERS = 50;

/** A value as the worker hands it out: short ones whole, of the others what is needed to show them closed. */
export type SentValue = SentShort | SentBranch | SentText | SentFrame;

export interface SentShort {
  readonly kind: 'short';
  readonly json: string;
}

/** A long array or object. */
export interface SentBranch {
  readonly kind: 'array' | 'object';
  /** Names it in requests. */
  readonly at: number;
  readonly count: number;
  /** Its first members, where it will be open at once. */
  readonly first: readonly SentMember[];
}

export interface SentText {
  readonly kind: 'text';
  readonly at: number;
  readonly length: number;
  /** Its first characters. */
  readonly head: string;
}

/** An object whose members are all there: one that every answer has around its values. */
export interface SentFrame {
  readonly kind: 'frame';
  readonly members: readonly SentMember[];
}

export interface SentMember {
  readonly key: string;
  readonly value: SentValue;
}

/** What the page asks the worker for, and what it gets. */
export interface PayloadRequests {
  /** The answer of the server, all of whose pieces are there; objects down to so many levels are frames. */
  open: { readonly request: { readonly frames: number }; readonly answer: SentValue };
  /** Members by their positions, `to` excluded. */
  members: {
    readonly request: { readonly at: number; readonly from: number; readonly to: number };
    readonly answer: readonly SentMember[];
  };
  /** The whole of a long text. */
  text: { readonly request: { readonly at: number }; readonly answer: string };
  /** A value as it was sent. */
  source: { readonly request: { readonly at: number }; readonly answer: string };
  search: {
    readonly request: { readonly at: number; readonly wanted: string; readonly most: number };
    readonly answer: readonly (readonly number[])[];
  };
  /** The conversation of a call that is a member of the answer; null: it is none. */
  chat: { readonly request: { readonly member: string }; readonly answer: readonly ChatTurn[] | null };
  /** The same as a model was sent it, and as it answered. */
  exchange: { readonly request: { readonly member: string }; readonly answer: Exchange | null };
}

export type PayloadTask = keyof PayloadRequests;

/** A message to the worker. */
export type PayloadMessage =
  | {
      [Task in PayloadTask]: {
        readonly id: number;
        readonly task: Task;
        readonly request: PayloadRequests[Task]['request'];
      };
    }[PayloadTask]
  | { readonly id: number; readonly task: 'cancel' }
  | PayloadPieces;

/** Pieces of the answer of the server, which come after those before them. */
export interface PayloadPieces {
  readonly task: 'pieces';
  readonly pieces: readonly Uint8Array[];
}

/** Its answer. */
export type PayloadAnswer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: { readonly name: string; readonly message: string } };
