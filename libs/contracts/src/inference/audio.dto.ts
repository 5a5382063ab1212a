import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, MayOmit } from '../validation/rule.js';
import { IsJsonValue, IsNumber } from '../validation/rules.js';
import { IsAnyText, IsAnyTextList } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { type FormFileFacts, IsFormFile } from './form-files.js';

/** Body of `POST /v1/audio/speech`. A field that is not declared here goes on to upstreams as it is. */
@AcceptsUnknownFields()
@Example({ model: 'gpt-4o-mini-tts', input: 'Good morning.', voice: 'alloy' })
export class SpeechRequestDto {
  /** A route or alias whose model speaks, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** The text to speak, 1 to 1,000,000 characters; models take less. */
  @IsAnyText({ min: 1, max: 1_000_000 }) input!: string;
  /** Who speaks: a name that the model knows, or an object of the upstream's. Absent or null: as the model likes. */
  @IsOptional() @IsJsonValue({ anyOf: [{ type: 'string' }, { type: 'object' }] }) voice?: unknown;
  /** What the audio is, such as `mp3`, `opus` or `wav`. Absent or null: as the model likes. */
  @IsOptional() @IsAnyText({ max: 64 }) response_format?: string | null;
  /** How fast, 1 being usual, 0.01 to 100; models take less. Absent or null: 1. */
  @IsOptional() @IsNumber({ min: 0.01, max: 100 }) speed?: number | null;
  /** Name of the end user, at most 512 characters. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

/** Answer of `POST /v1/audio/transcriptions` and of `POST /v1/audio/translations` as JSON: that of the upstream, as it came. */
export class TranscriptionDto {
  /** What was said. */
  @IsAnyText() text!: string;
  /** How long the audio is, in seconds. Absent: the upstream does not say. */
  @MayOmit() @IsNumber({ min: 0, max: 1e9 }) duration?: number;
  /** Tokens or seconds that the model counted, as the upstream names them. Absent: it counts none. */
  @MayOmit() @IsJsonValue({ type: 'object' }) usage?: object;
}

/**
 * Body of `POST /v1/audio/transcriptions` and of `POST /v1/audio/translations`, a form. A field that is not declared here goes on
 * to upstreams as it is.
 */
@AcceptsUnknownFields()
export class TranscriptionRequestDto {
  /** A route or alias whose model writes down what was said, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** The audio, a file. */
  @IsFormFile() file!: FormFileFacts;
  /** Language of the audio, such as `en`. Absent: the model tells. Translations have none. */
  @MayOmit() @IsAnyText({ max: 64 }) language?: string;
  /** A text in whose style the model should write, at most 262,144 characters. Absent: none. */
  @MayOmit() @IsAnyText({ max: 262_144 }) prompt?: string;
  /** Form of the answer: `json`, `text`, `srt`, `vtt`, `verbose_json`, or another that the model knows. Absent: `json`. */
  @MayOmit() @IsAnyText({ max: 64 }) response_format?: string;
  /** How much chance there is in the text: a number from 0 to 1, in digits. Absent: 0. */
  @MayOmit() @IsAnyText({ max: 64 }) temperature?: string;
  /** Of what the answer has times, for `verbose_json`: `word`, `segment`. Absent: segments. */
  @MayOmit() @IsAnyTextList({ maxItems: 16, max: 64 }) 'timestamp_granularities[]'?: string[];
  /** Name of the end user, at most 512 characters. Absent: none. */
  @MayOmit() @IsAnyText({ max: 512 }) user?: string;
}
