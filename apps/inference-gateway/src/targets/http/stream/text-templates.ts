import type { Splice } from '@hone/json/bytes';

import type { SseFrame } from '../../../wire/sse/sse-frame.js';
import type { ChunkJson } from './chunk-json.js';
import { TextTemplate } from './text-template.js';

/** Most templates of a stream: one per choice and kind of text; other frames are parsed. */
const MAX_TEMPLATES = 8;

/** The frame templates that a stream has shown so far. */
export class TextTemplates {
  private templates: TextTemplate[] = [];
  private isHopeless = false;
  private hasMatched = false;

  /**
   * Passes the frame at `start` if it matches a template.
   *
   * @param out receives the frame for the caller
   * @returns end offset of the frame, and whether its text is empty; null: it must be parsed
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

  /** The frame for the caller, if the bytes are exactly one frame of a template with text; else null. */
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

  /** @param chunk the parsed frame, which ends no choice */
  learn(frame: SseFrame, { choices, usage }: ChunkJson, splices: readonly Splice[]): void {
    const [choice] = choices;
    if (this.isHopeless || frame.dataStart < 0 || usage !== null) return;
    if (choices.length !== 1 || !choice?.onlyText) return;
    if (this.templates.length === MAX_TEMPLATES) {
      // Some upstreams pad every frame differently: matching templates would only cost time.
      if (!this.hasMatched) this.forget();
      this.isHopeless = true;
      return;
    }
    const template = TextTemplate.learn(frame, choice.onlyText, splices);
    if (template !== null) this.templates.push(template);
  }

  /** Forgets all templates when a choice has ended: later frames of it must be parsed and rejected. */
  forget(): void {
    this.templates = [];
  }
}
