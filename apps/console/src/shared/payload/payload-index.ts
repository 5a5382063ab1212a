import { JsonText, parseJson, searchJson, TextOutline } from '@hone/json';

import { type ChatTurn, toChat } from '../chat/chat.js';
import { type Exchange, toExchange } from '../chat/exchange.js';
import { FIRST_MEMBERS, type PayloadRequests, type SentMember, type SentValue } from './payload-messages.js';

/** Characters of JSON up to which a value is handed out whole. */
const SHORT_CHARACTERS = 4_096;
/** The same for the values of a frame, which are few. */
const SHORT_IN_FRAME = 65_536;
/** Characters of a long text that are handed out with it. */
const HEAD_CHARACTERS = 2_000;

type Request<Task extends keyof PayloadRequests> = PayloadRequests[Task]['request'];

/** A large answer of the server while it comes: most of the work is done when its end is here. */
export class PayloadArrival {
  private readonly decoder = new TextDecoder();
  private readonly outline = new TextOutline();
  private readonly pieces: string[] = [];

  push(pieces: readonly Uint8Array[]): void {
    this.take(this.decoder.decode(joined(pieces), { stream: true }));
  }

  end(): PayloadIndex {
    this.take(this.decoder.decode());
    return new PayloadIndex(new JsonText(this.pieces.join(''), this.outline));
  }

  private take(piece: string): void {
    this.pieces.push(piece);
    this.outline.push(piece);
  }
}

/** Few long texts are walked through sooner than many short ones. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** A large answer of the server, of which the page sees only what it shows. */
export class PayloadIndex {
  private readonly json: JsonText;

  constructor(json: JsonText) {
    this.json = json;
  }

  /** @param frames levels of objects around the values, whose members are all handed out */
  open(frames: number): SentValue {
    return this.frame(this.json.root, frames);
  }

  members({ at, from, to }: Request<'members'>): SentMember[] {
    return this.json
      .membersAt(at, from, to)
      .map((one) => ({ key: one.key, value: this.send(one.at, SHORT_CHARACTERS) }));
  }

  text({ at }: Request<'text'>): string {
    return this.json.textAt(at);
  }

  source({ at }: Request<'source'>): string {
    return this.json.sourceAt(at);
  }

  search({ at, wanted, most }: Request<'search'>): number[][] {
    return searchJson(this.json, at, wanted, most);
  }

  chat({ member }: Request<'chat'>): readonly ChatTurn[] | null {
    const values = this.valuesOfExchange(member);
    return values && toChat(values.inputs, values.output);
  }

  exchange({ member }: Request<'exchange'>): Exchange | null {
    const values = this.valuesOfExchange(member);
    return values && toExchange(values.inputs, values.output);
  }

  /** Parses the call only if its inputs have messages: everything else is no conversation. */
  private valuesOfExchange(member: string): { readonly inputs: unknown; readonly output: unknown } | null {
    const call = this.json.memberAt(this.json.root, member);
    const inputs = call === undefined ? undefined : this.json.memberAt(call, 'inputs');
    if (call === undefined || inputs === undefined || !this.hasAny(inputs, ['messages', 'input'])) return null;
    const output = this.json.memberAt(call, 'output');
    const hasAnswer = output !== undefined && this.hasAny(output, ['choices', 'output', 'content']);
    return { inputs: this.parse(inputs), output: hasAnswer ? this.parse(output) : null };
  }

  private hasAny(at: number, names: readonly string[]): boolean {
    return names.some((name) => this.json.memberAt(at, name) !== undefined);
  }

  private parse(at: number): unknown {
    return parseJson(this.json.sourceAt(at));
  }

  private frame(at: number, levels: number): SentValue {
    if (this.json.kindAt(at) !== 'object') return this.send(at, SHORT_IN_FRAME);
    const members = this.json.membersAt(at).map((one) => ({
      key: one.key,
      value: levels > 1 ? this.frame(one.at, levels - 1) : this.send(one.at, SHORT_IN_FRAME, true),
    }));
    return { kind: 'frame', members };
  }

  private send(at: number, mostCharacters: number, isOpen = false): SentValue {
    const source = this.json.sourceAt(at);
    if (source.length <= mostCharacters) return { kind: 'short', json: source };
    const kind = this.json.kindAt(at);
    if (kind === 'text') {
      const text = this.json.textAt(at);
      return { kind, at, length: text.length, head: text.slice(0, HEAD_CHARACTERS) };
    }
    // A number of so many digits is no branch, and is not cut.
    if (kind === 'other') return { kind: 'short', json: source };
    const first = isOpen ? this.members({ at, from: 0, to: FIRST_MEMBERS }) : [];
    return { kind, at, count: this.json.countAt(at), first };
  }
}
