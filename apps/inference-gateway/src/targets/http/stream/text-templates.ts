import type { Splice } from '../../../wire/json/splice.js';
import type { ChunkJson } from './chunk-json.js';
import type { SseFrame } from '../../../wire/sse/sse-frame.js';
import { TextTemplate } from './text-template.js';

/** Forms of frame that are told apart, one per choice and kind of text; others are parsed. */
const MAX_TEMPLATES = 8;

/** The forms of frame that a stream has shown so far. */
export class TextTemplates {
  private templates: TextTemplate[] = [];
  private isHopeless = false;
  private hasMatched = false;

  /**
   * Passes the frame at `start` when it has a known form.
   *
   * @param out gets the frame as the caller is to see it
   * @returns where the frame ends and whether its text is empty; null when it must be parsed
   */
  pass(bytes: Buffer, start: number, out: Buffer[]): { end: number; isEmpty: boolean } | null {
    for (const template of this.templates) {
      const textEnd = template.match(bytes, start);
      if (textEnd < 0) continue;
      this.hasMatched = true;
      const end = template.frameEnd(textEnd);
      out.push(template.shown(bytes, start, textEnd));
      return { end, isEmpty: textEnd === template.textStart(start) };
    }
    return null;
  }

  /** The frame that the bytes are, as the caller is to see it; null: not one frame of a known form, or without text. */
  passWhole(bytes: Buffer): Buffer | null {
    for (const template of this.templates) {
      const textEnd = template.match(bytes, 0);
      if (textEnd < 0) continue;
      if (template.frameEnd(textEnd) !== bytes.length || textEnd === template.textStart(0)) return null;
      this.hasMatched = true;
      return template.shown(bytes, 0, textEnd);
    }
    return null;
  }

  /** @param chunk the frame, parsed; nothing in it ends a choice */
  learn(frame: SseFrame, { choices, usage }: ChunkJson, splices: readonly Splice[]): void {
    const [choice] = choices;
    if (this.isHopeless || frame.dataStart < 0 || usage !== null) return;
    if (choices.length !== 1 || !choice?.onlyText) return;
    if (this.templates.length === MAX_TEMPLATES) {
      // Some upstreams pad every frame differently: looking for forms would only cost time.
      if (!this.hasMatched) this.forget();
      this.isHopeless = true;
      return;
    }
    const template = TextTemplate.learn(frame, choice.onlyText, splices);
    if (template !== null) this.templates.push(template);
  }

  /** For when a choice has ended: frames of it are wrong from now on, whatever their form. */
  forget(): void {
    this.templates = [];
  }
}
