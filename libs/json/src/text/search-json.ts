import type { JsonText } from './json-text.js';

/**
 * The members whose key, text, number or word contains the wanted text, whatever its case: each as the positions that
 * lead to it, one at each level. A key and its value are one hit.
 *
 * @param at offset of the value that is searched in
 * @param most hits, after which the search ends
 */
export function searchJson(json: JsonText, at: number, wanted: string, most: number): number[][] {
  const search = new Search(json, wanted.toLowerCase());
  for (let next = at; search.hits.length < most;) {
    next = search.step(next);
    if (search.isOver) break;
  }
  return search.hits;
}

/** Walks over a value token by token, and knows where it is. */
class Search {
  readonly hits: number[][] = [];
  /** Position of the member that it is in, at each level. */
  private readonly path: number[] = [];
  private readonly isObject: boolean[] = [];
  private isKey = false;
  private isHit = false;
  isOver = false;

  constructor(
    private readonly json: JsonText,
    private readonly needle: string,
  ) {}

  /** @returns offset after the token */
  step(at: number): number {
    switch (this.json.text[at]) {
      case '{':
      case '[':
        this.path.push(0);
        this.isObject.push(this.json.text[at] === '{');
        this.beginMember();
        return at + 1;
      case ',':
        this.path.push((this.path.pop() as number) + 1);
        this.beginMember();
        return at + 1;
      case '}':
      case ']':
        this.path.pop();
        this.isObject.pop();
        this.isOver = this.path.length === 0;
        return at + 1;
      case ':':
        this.isKey = false;
        return at + 1;
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return at + 1;
      default:
        return this.leaf(at);
    }
  }

  private beginMember(): void {
    this.isKey = this.isObject.at(-1) === true;
    this.isHit = false;
  }

  /** A key, text, number or word. */
  private leaf(at: number): number {
    const isText = this.json.kindAt(at) === 'text';
    const end = this.json.endOf(at);
    this.isOver = this.path.length === 0 && !this.isKey;
    if (this.isHit) return end;
    // What has escapes is compared as what it stands for.
    const leaf = isText ? this.json.textAt(at) : this.json.text.slice(at, end);
    if (!leaf.toLowerCase().includes(this.needle)) return end;
    this.hits.push([...this.path]);
    this.isHit = true;
    return end;
  }
}
