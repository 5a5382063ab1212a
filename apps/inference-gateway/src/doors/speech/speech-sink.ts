import { PlainSink } from '../plain-sink.js';

/** Writes audio as it comes. The call keeps none of it. Where it breaks off, so does the connection: audio has no error frame. */
export class SpeechSink extends PlainSink {
  override fail(): void {
    this.reply.breakOff();
  }
}
